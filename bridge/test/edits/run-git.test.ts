import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runGit, timeWords } from "../../src/git/run-git.ts";

const call = { args: ["--version"], searchPath: process.env["PATH"], timeMs: 10_000, outputBytes: 10_000 };

it("says that its folder is gone, not that git is", async () => {
	const folder = await mkdtemp(join(tmpdir(), "xworkmate-git-"));
	await expect(runGit({ ...call, folder })).resolves.toMatchObject({ code: 0 });
	await rm(folder, { recursive: true });
	expect(existsSync(folder)).toBe(false);
	await expect(runGit({ ...call, folder })).rejects.toMatchObject({
		problem: "gone",
		message: `the folder ${folder} does not exist`,
	});
	await expect(runGit({ ...call, folder: tmpdir(), searchPath: "/nowhere" })).rejects.toMatchObject({
		problem: "missing",
		message: "git was not found on the bridge's PATH",
	});
});

it.each([
	[20, "0.02 s"],
	[60_000, "1 min"],
	[300_000, "5 min"],
])("says how long git took in the unit for it: %i ms", (timeMs, words) => {
	expect(timeWords(timeMs)).toBe(words);
});
