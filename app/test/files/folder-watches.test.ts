import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderWatches, type FolderWatchesParts } from "../../src/files/folder-watches.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import { until } from "../support/until.ts";

const thread = (name: string) => ThreadId.parse(name);

let folder: string;
let told: string[];
let isHeard: boolean;
let faults: unknown[];
let watches: FolderWatches;

function watch(paths: readonly string[], more: Partial<FolderWatchesParts> = {}): FolderWatches {
	const events = new AppEvents();
	events.on("filesChanged", (threadId) => void told.push(threadId));
	watches = new FolderWatches({
		events,
		files: { places: () => ({ folder, paths }), watchedPlaces: async () => ({ folder, paths }) },
		pages: {
			get isWatched() {
				return isHeard;
			},
		},
		fault: (error) => void faults.push(error),
		...more,
	});
	return watches;
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "watched folder "));
	told = [];
	faults = [];
	isHeard = true;
});
afterEach(() => {
	watches.close();
	rmSync(folder, { recursive: true, force: true });
	expect(faults).toEqual([]);
});

describe("[D9] a folder that a page shows", () => {
	it("is looked at regularly, so that a change shows where the system reports none", async () => {
		// More folders than are watched, and the last one is changed.
		const paths = Array.from({ length: 100 }, (_, index) => `folder ${index}/a.md`);
		for (const path of paths) {
			mkdirSync(join(folder, path, ".."));
			writeFileSync(join(folder, path), "a");
		}
		await watch(paths, { lookMs: 20 }).follow(thread("one"));
		writeFileSync(join(folder, "folder 99/a.md"), "changed");
		await until("the page is told", () => told.length > 0);
	});

	it("that does not exist yet, or turns into a link, is told of as well", async () => {
		await watch(["deep/a.md"], { lookMs: 20 }).follow(thread("one"));
		mkdirSync(join(folder, "deep"));
		writeFileSync(join(folder, "deep/a.md"), "a");
		await until("the file is told of", () => told.length > 0);
		const before = told.length;
		rmSync(join(folder, "deep"), { recursive: true });
		symlinkSync(tmpdir(), join(folder, "deep"));
		await until("the link is told of", () => told.length > before);
	});

	it("is watched until its time is over, unless a page asks again", async () => {
		writeFileSync(join(folder, "a.md"), "a");
		watch(["a.md"], { lookMs: 5, leaseMs: 60 });
		expect(await watches.follow(thread("one"))).toBe(true);
		expect(await watches.follow(thread("one"))).toBe(false);
		await until("the watch is over", () => watches.count === 0);
		writeFileSync(join(folder, "a.md"), "changed");
		expect(await watches.follow(thread("one"))).toBe(true);
		expect(told).toEqual([]);
	});

	it("is not looked through for kept versions when a page only asks again", async () => {
		let looks = 0;
		const watchedPlaces = async () => {
			looks += 1;
			return { folder, paths: [] };
		};
		watch([], { files: { places: () => ({ folder, paths: [] }), watchedPlaces } });
		for (let times = 0; times < 3; times += 1) await watches.follow(thread("one"));
		expect(looks).toBe(1);
	});

	it("is not watched if its thread is deleted while its places are read", async () => {
		const events = new AppEvents();
		let reads = 0;
		const watchedPlaces = async () => {
			reads += 1;
			if (reads === 1) events.emit("threadWritten", { threadId: thread("one"), before: undefined, after: undefined });
			return { folder, paths: [] };
		};
		watch([], { events, files: { places: () => ({ folder, paths: [] }), watchedPlaces } });
		await watches.follow(thread("one"));
		expect(watches.count).toBe(0);
	});

	it("is left when no page follows the app any more", async () => {
		watch(["a.md"], { lookMs: 5 });
		await watches.follow(thread("one"));
		isHeard = false;
		await until("the watch is over", () => watches.count === 0);
	});

	it("is one of a bounded number: the one that was asked for last stays", async () => {
		watch(["a.md"]);
		for (let index = 0; index < 20; index += 1) await watches.follow(thread(`thread-${index}`));
		expect(watches.count).toBe(8);
		expect(await watches.follow(thread("thread-19"))).toBe(false);
		expect(await watches.follow(thread("thread-0"))).toBe(true);
		expect(watches.count).toBe(8);
	});
});
