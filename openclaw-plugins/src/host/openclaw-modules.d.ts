declare module "openclaw/plugin-sdk/diagnostic-runtime" {
	/** Tells the gateway's own watchers of something that happens. */
	export function emitDiagnosticEvent(event: Readonly<Record<string, unknown>>): void;
}
