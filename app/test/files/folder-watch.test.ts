import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { FolderWatch } from "../../src/files/folder-watch.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { until } from "../support/until.ts";

it("[D9] a folder is scanned once at a time, however often a scan is asked for during another", async () => {
	const steps: string[] = [];
	const faults: unknown[] = [];
	const watch = new FolderWatch({
		// So many that the first scan takes longer than two timers.
		places: () => ({ folder: tmpdir(), paths: Array.from({ length: 5_000 }, (_, index) => `no such file ${index}`) }),
		isWanted: () => {
			steps.push("scan");
			// A scan reads the disk, so the event loop turns before it has ended.
			setImmediate(() => void steps.push("turn"));
			return true;
		},
		changed: () => void steps.push("changed"),
		fault: (error) => void faults.push(error),
		lookMs: 1,
	});
	let isOver = false;
	const first = watch.begin().then(() => {
		isOver = true;
	});
	for (let asked = 0; asked < 2; asked += 1) {
		watch.renew();
		// Its timer is older than this one, and as short.
		await delay(0);
	}
	expect(isOver).toBe(false);
	await first;
	await until("it is scanned again", () => steps.length >= 4);
	watch.close();
	expect(steps.slice(0, 4)).toEqual(["scan", "turn", "scan", "turn"]);
	expect(faults).toEqual([]);
});

it("[D9] reports that what was in the place of the folder is gone, although no file is there before or after", async () => {
	using home = temporaryHome();
	const folder = join(home.path, "thread");
	let changes = 0;
	const faults: unknown[] = [];
	const watch = new FolderWatch({
		...{ places: () => ({ folder, paths: ["a.md"] }), isWanted: () => true, lookMs: 5 },
		changed: () => {
			changes += 1;
		},
		fault: (error) => void faults.push(error),
	});
	writeFileSync(join(home.path, "other"), "in the folder's place");
	await watch.begin();
	renameSync(join(home.path, "other"), folder);
	await until("the file in the folder's place is reported", () => changes === 1);
	rmSync(folder);
	await until("its removal is reported", () => changes === 2);
	watch.close();
	expect(faults).toEqual([]);
});

it("[D9] scans a limited number of paths, and no folders of others", async () => {
	using home = temporaryHome();
	const paths = [...Array.from({ length: 5_000 }, (_, index) => `no such file ${index}`), "beyond/a.md"];
	let scans = 0;
	let changes = 0;
	const faults: unknown[] = [];
	const watch = new FolderWatch({
		places: () => ({ folder: home.path, paths }),
		isWanted: () => {
			scans += 1;
			return true;
		},
		changed: () => {
			changes += 1;
		},
		fault: (error) => void faults.push(error),
		lookMs: 1,
	});
	await watch.begin();
	mkdirSync(join(home.path, "beyond"));
	const before = scans;
	// The second scan from now on begins after the folder was created, and the third one after the second has ended.
	await until("it is scanned again", () => scans >= before + 3);
	expect(changes).toBe(0);
	watch.close();
	expect(faults).toEqual([]);
});
