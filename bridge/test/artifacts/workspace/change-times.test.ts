import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeTimes } from "../../../src/artifacts/workspace/folder-listing.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

/** Makes folders in folders until the path of the innermost is too long to be read. */
const DEEP = `for (let n = 0; n < 25; n++) {
	require("node:fs").mkdirSync("d".repeat(200), { recursive: true });
	process.chdir("d".repeat(200));
}`;

it("the files below a folder are listed without those of a folder there that can't be read", async () => {
	await using directory = await temporaryDirectory();
	const files = ["a.txt", "sub/b.txt"].map((path) => join(directory.path, path));
	mkdirSync(join(directory.path, "sub"));
	for (const file of files) writeFileSync(file, "x");
	execFileSync(process.execPath, ["-e", DEEP], { cwd: directory.path });
	try {
		expect([...((await changeTimes(directory.path)) ?? new Map()).keys()].toSorted()).toEqual(files);
	} finally {
		execFileSync("rm", ["-rf", join(directory.path, "d".repeat(200))]);
	}
	expect(await changeTimes(files[0] ?? "")).toBeUndefined();
	expect(await changeTimes(join(directory.path, "gone"))).toEqual(new Map());
});
