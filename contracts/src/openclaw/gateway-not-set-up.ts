/** Shown wherever no OpenClaw gateway is set up. The bridge reads these settings when it starts. */
export const gatewayNotSetUp = {
	message: "OpenClaw isn't set up.",
	fix: 'Set "Gateway address" and "Gateway token" under Settings > OpenClaw, then restart the bridge (docs/openclaw.md).',
} as const;
