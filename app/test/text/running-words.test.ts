import { expect, it } from "vitest";
import { runningFinding } from "../../src/doctor/finding.ts";

it.each([
	["terminal", "Running in a terminal (process 4711).", "Stop it with Ctrl+C in its terminal."],
	["detached", "Running without a terminal (process 4711).", "To stop it, end process 4711."],
	["command", "Running for a single command (process 4711).", "Wait until the command has finished."],
	[undefined, "Running (process 4711).", "Stop it with Ctrl+C in its terminal, or end process 4711."],
] as const)("a terminal is named as how to stop the app only if it is known to have one: %s", (runsAs, message, fix) => {
	expect(runningFinding({ pid: 4711, ...(runsAs && { runsAs }) })).toMatchObject({ message, fix });
});
