/**
 * Shown wherever there is no OpenClaw gateway. The bridge reads these settings at its start from the environment of the process that
 * started it, so restarting the bridge alone changes nothing.
 */
export const gatewayNotSetUp = {
	message: "OpenClaw isn't set up.",
	fix: "Stop XWorkmate with Ctrl+C, set XWORKMATE_OPENCLAW_URL and XWORKMATE_OPENCLAW_TOKEN in that terminal, then run `npm start` again (docs/openclaw.md).",
} as const;
