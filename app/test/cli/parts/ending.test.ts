import { expect, it } from "vitest";
import { Ending } from "../../../src/cli/parts/ending.ts";

it.each([
	{ signals: ["SIGTERM"], asked: ["stop"] },
	{ signals: ["SIGTERM", "SIGTERM", "SIGHUP"], asked: ["stop", "nothing", "nothing"] },
	{ signals: ["SIGINT", "SIGTERM"], asked: ["stop", "nothing"] },
	{ signals: ["SIGINT", "SIGINT"], asked: ["stop", "leave"] },
	{ signals: ["SIGTERM", "SIGINT"], asked: ["stop", "nothing"] },
	{ signals: ["SIGTERM", "SIGINT", "SIGINT"], asked: ["stop", "nothing", "leave"] },
] as const)("[D31] $signals: only a second Ctrl+C exits at once, not a first one behind the SIGTERM it led to", ({ signals, asked }) => {
	const ending = new Ending();
	expect(signals.map((signal) => ending.signal(signal))).toEqual(asked);
});
