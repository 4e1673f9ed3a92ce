/** Shown wherever there is no OpenClaw gateway. The bridge reads these settings at its start. */
export const gatewayNotSetUp = {
	message: "OpenClaw isn't set up.",
	fix: "Set openclawUrl and openclawToken under Settings > OpenClaw, then restart the bridge (docs/openclaw.md).",
} as const;
