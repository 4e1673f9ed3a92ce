/**
 * Said wherever there is no OpenClaw gateway. The bridge reads these settings when it starts, and has them from the
 * process that started it: restarting the bridge alone changes nothing.
 */
export const gatewayNotSetUp = {
	message: "OpenClaw isn't set up.",
	fix: "Stop XWorkmate with Ctrl+C, set XWORKMATE_OPENCLAW_URL and XWORKMATE_OPENCLAW_TOKEN in that terminal, then run `npm start` again (docs/openclaw.md).",
} as const;
