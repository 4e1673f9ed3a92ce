import { expect, it } from "vitest";
import { homeTaken } from "../../../src/cli/words/home-taken.ts";

it.each([
	["terminal", "Running in a terminal (process 4711).", "Stop it with Ctrl+C in its terminal."],
	["detached", "Running without a terminal (process 4711).", "To stop it, end process 4711."],
	["command", "Running for a single command (process 4711).", "Wait until the command has finished."],
	[
		"service",
		"Running as a service (process 4711).",
		"That service was not started from /config/xworkmate.service. End its process: kill 4711.",
	],
] as const)("a service that can't be installed because of a %s names it, and says how to stop it", (runsAs, words, fix) => {
	const error = homeTaken({ pid: 4711, runsAs }, "/config/xworkmate.service", Date.now());
	expect(error).toMatchObject({ code: "APP_HOME_IN_USE", message: `XWorkmate is already using this data folder. ${words}` });
	expect(error.fix).toBe(`${fix} Then install the service.`);
});
