declare module "openclaw/plugin-sdk/diagnostic-runtime" {
	/** Notifies the gateway's own watchers of an event. */
	export function emitDiagnosticEvent(event: Readonly<Record<string, unknown>>): void;
}
