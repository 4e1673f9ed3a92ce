import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { FolderWatch } from "../../src/files/folder-watch.ts";
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
