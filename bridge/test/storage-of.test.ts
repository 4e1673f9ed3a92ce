import { expect, it, vi } from "vitest";
import { storageOf } from "../src/storage-of.ts";

const none = { largestOf: async () => 0 };
const disk = { bavail: 10, blocks: 100, bsize: 4096 };

it("says what is free, and what a run as large as the latest needs: its files are kept three times", async () => {
	expect(await storageOf("/home", none, async () => disk)()).toEqual({ freeBytes: 40_960, totalBytes: 409_600 });
	const large = { largestOf: async () => 5_000 };
	expect(await storageOf("/home", large, async () => disk)()).toMatchObject({ neededBytes: 15_000 });
});

it("says nothing of a file system that reports only zeros, which would read as a full disk", async () => {
	expect(await storageOf("/home", none, async () => ({ bavail: 0, blocks: 0, bsize: 4096 }))()).toBeUndefined();
	expect(await storageOf("/home", none, () => Promise.reject(new Error("not supported")))()).toBeUndefined();
	const full = { ...disk, bavail: 0 };
	expect(await storageOf("/home", none, async () => full)()).toMatchObject({ freeBytes: 0 });
});

it("does not wait for a file system that never answers, and asks it no second time meanwhile", async () => {
	let looks = 0;
	const never = () => {
		looks += 1;
		return new Promise<never>(() => undefined);
	};
	const storage = storageOf("/home", none, never, 1);
	expect(await storage()).toBeUndefined();
	const now = performance.now();
	using _later = vi.spyOn(performance, "now").mockImplementation(() => now + 60_000);
	expect(await storage()).toBeUndefined();
	expect(looks).toBe(1);
});
