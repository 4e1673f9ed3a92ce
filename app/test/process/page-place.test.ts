import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshPage, recoverPage, STAMP, takePlace } from "../../src/process/page-place.ts";

let dist: string;
let page: string;

beforeEach(() => {
	dist = mkdtempSync(join(tmpdir(), "page-"));
	page = join(dist, "ui");
});
afterEach(() => rmSync(dist, { recursive: true }));

/** A page in a folder; without a stamp, its build was not finished. */
function built(folder: string, stamp?: string): string {
	mkdirSync(folder);
	writeFileSync(join(folder, "index.html"), stamp ?? "half");
	if (stamp !== undefined) writeFileSync(join(folder, STAMP), stamp);
	return folder;
}

const shown = () => readFileSync(join(page, "index.html"), "utf8");

/** The id of a process that has ended. */
function endedPid(): number {
	const { pid } = spawnSync(process.execPath, ["-e", ""]);
	return pid;
}

it("a new page takes the place of the old one, of which nothing is left", async () => {
	built(page, "old");
	await takePlace(built(freshPage(page), "new"), page);
	expect(shown()).toBe("new");
	expect(readdirSync(dist)).toEqual(["ui"]);
});

describe("after a start that was killed", () => {
	it("while it replaced the page, the new page is put in its place", async () => {
		const pid = endedPid();
		built(`${page}.${pid}.old`, "old");
		built(`${page}.${pid}`, "new");
		await recoverPage(page, "new");
		expect(shown()).toBe("new");
		expect(readdirSync(dist)).toEqual(["ui"]);
	});

	it("the old page is put back if the sources have changed since, so that there is one if the build fails", async () => {
		built(`${page}.${endedPid()}.old`, "old");
		await recoverPage(page, "newer");
		expect(shown()).toBe("old");
		expect(readdirSync(dist)).toEqual(["ui"]);
	});

	it("half a page is not put anywhere, and a page that is there stays", async () => {
		const pid = endedPid();
		built(`${page}.${pid}`);
		await recoverPage(page, "new");
		expect(readdirSync(dist)).toEqual([]);
		built(page, "old");
		built(`${page}.${pid}`, "new");
		await recoverPage(page, "new");
		expect(shown()).toBe("old");
		expect(readdirSync(dist)).toEqual(["ui"]);
	});

	it("that had the same process ID, what it left is removed, so that a new page can take the place of the old one", async () => {
		built(page, "old");
		built(`${freshPage(page)}.old`, "older");
		await recoverPage(page, "new");
		expect(readdirSync(dist)).toEqual(["ui"]);
		await takePlace(built(freshPage(page), "new"), page);
		expect(shown()).toBe("new");
	});
});

it("what a running start is building, and what has another name, is left alone", async () => {
	built(`${page}.${process.ppid}`, "new");
	built(join(dist, "ui-words.1"), "other");
	await recoverPage(page, "new");
	expect(readdirSync(dist)).toEqual([`ui.${process.ppid}`, "ui-words.1"].sort());
});

it("without a folder for the page, there is nothing to recover", async () => {
	await expect(recoverPage(join(dist, "none", "ui"), "new")).resolves.toBeUndefined();
});
