import { expect, it } from "vitest";
import { linesAndFiles } from "../support/app/app-kill-rounds.ts";
import { runThroughCut } from "../support/app/remote-command.ts";
import { startBridge } from "../support/bridge/bridge-process.ts";

// The app asks beside a silent stream every 30 s, and gives up on it after 45 s: too long for every day.
it("[T4-44] [T4-45] finishes a run of the command whose stream stalls", async () => {
	await using bridge = await startBridge();
	const { ended, cuts, files } = await runThroughCut(bridge, linesAndFiles, { kind: "cut", afterEvents: 6, how: "stall" }, 90_000);
	expect(ended.code, ended.stderr).toBe(0);
	expect(cuts).toBe(1);
	expect(Object.keys(files).length).toBe(12);
});
