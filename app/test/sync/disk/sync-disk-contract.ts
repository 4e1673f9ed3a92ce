import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { Batch, SyncDisk, SyncPlace, WantedFile } from "../../../src/sync/disk/sync-disk.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

const runId = RunId.parse("run-1");

function wanted(files: Readonly<Record<string, string>>): WantedFile[] {
	return Object.entries(files).map(([relativePath, text]) => ({
		relativePath,
		sizeBytes: Buffer.byteLength(text),
		sha256: createHash("sha256").update(text).digest("hex"),
	}));
}

/** A batch of pieces: `[file, text, "first" | "last" | "whole" | "middle"]`. */
function batch(...pieces: readonly (readonly [file: number, text: string, place?: "first" | "middle" | "last"])[]): Batch {
	let start = 0;
	const segments = pieces.map(([file, text, place]) => {
		const end = start + Buffer.byteLength(text);
		const segment = { file, start, end, first: place === undefined || place === "first", last: place === undefined || place === "last" };
		start = end;
		return segment;
	});
	return { bytes: new Uint8Array(Buffer.from(pieces.map(([, text]) => text).join(""))), segments };
}

/** Everything the disk of a sync promises, in whatever thread it works. */
export function syncDiskContract(name: string, open: (place: SyncPlace) => SyncDisk): void {
	describe(`${name}: the disk of a sync`, () => {
		/** A folder with a disk on it, begun with these files. */
		async function scene(files: Readonly<Record<string, string>>, prepare: (folder: string) => void = () => {}) {
			const home = temporaryHome();
			prepare(home.path);
			const disk = open({ folder: home.path, runId });
			const begun = await disk.begin(wanted(files));
			return {
				disk,
				begun,
				folder: home.path,
				read: (path: string) => readFileSync(join(home.path, path), "utf8"),
				async [Symbol.asyncDispose]() {
					await disk[Symbol.asyncDispose]();
					home[Symbol.dispose]();
				},
			};
		}

		it("publishes what was staged whole or in pieces, and nothing before it is asked to", async () => {
			await using s = await scene({ "a.txt": "a", "in/b.txt": "one two", "empty.txt": "" });
			expect(s.begun).toEqual({ published: [], problems: [] });
			expect(await s.disk.write(batch([0, "a"], [1, "one ", "first"]))).toMatchObject({ staged: [0], problems: [] });
			expect(await s.disk.write(batch([1, "two", "last"], [2, ""]))).toMatchObject({ staged: [1, 2], problems: [] });
			expect(readdirSync(s.folder)).toEqual([".xworkmate"]);
			expect(await s.disk.publish()).toEqual({ published: [0, 1, 2], problems: [] });
			expect([s.read("a.txt"), s.read("in/b.txt"), s.read("empty.txt")]).toEqual(["a", "one two", ""]);
		});

		it("gives a batch's bytes back, to be filled again", async () => {
			await using s = await scene({ "a.txt": "a" });
			const { bytes } = await s.disk.write(batch([0, "a"]));
			expect(bytes).toHaveLength(1);
		});

		it("says which files are there already, bytes and all, and leaves them as they are", async () => {
			const put = (folder: string) => {
				writeFileSync(join(folder, "same.txt"), "same");
				writeFileSync(join(folder, "other.txt"), "OTHER");
			};
			await using s = await scene({ "same.txt": "same", "other.txt": "other", "gone.txt": "gone" }, put);
			expect(s.begun).toEqual({ published: [0], problems: [] });
			const before = statSync(join(s.folder, "same.txt"));
			await s.disk.write(batch([0, "same"], [1, "other"], [2, "gone"]));
			await s.disk.publish();
			expect(statSync(join(s.folder, "same.txt"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
			expect(s.read("other.txt")).toBe("other");
		});

		it("takes no file of another size or hash, and takes it when it comes again right", async () => {
			await using s = await scene({ "hash.txt": "true", "long.txt": "long", "short.txt": "short" });
			const { staged, problems } = await s.disk.write(
				batch([0, "liar"], [1, "longer"], [2, "sh", "first"], [2, "or", "middle"], [2, "", "last"]),
			);
			expect(staged).toEqual([]);
			expect(problems).toEqual([
				{ file: 0, problem: expect.objectContaining({ code: "WRONG_HASH", path: "hash.txt" }) },
				{ file: 1, problem: expect.objectContaining({ code: "WRONG_SIZE", path: "long.txt" }) },
				{ file: 2, problem: expect.objectContaining({ code: "WRONG_SIZE", path: "short.txt" }) },
			]);
			expect(await s.disk.publish()).toEqual({ published: [], problems: [] });
			expect((await s.disk.write(batch([0, "true"]))).staged).toEqual([0]);
			expect(await s.disk.publish()).toEqual({ published: [0], problems: [] });
			expect(s.read("hash.txt")).toBe("true");
		});

		it("begins a file again with its first piece, and ignores the rest of one that failed", async () => {
			await using s = await scene({ "a.txt": "one two", "b.txt": "b" });
			await s.disk.write(batch([0, "half of ano", "first"]));
			const { problems } = await s.disk.write(batch([1, "too long", "first"], [1, "!", "last"]));
			expect(problems).toHaveLength(1);
			expect((await s.disk.write(batch([0, "one ", "first"], [0, "two", "last"]))).staged).toEqual([0]);
			expect(await s.disk.publish()).toEqual({ published: [0], problems: [] });
			expect(s.read("a.txt")).toBe("one two");
		});

		it("keeps what it replaces among the versions of the run", async () => {
			await using s = await scene({ "a.txt": "theirs" }, (folder) => writeFileSync(join(folder, "a.txt"), "mine"));
			await s.disk.write(batch([0, "theirs"]));
			await s.disk.publish();
			const digits = createHash("sha256").update("mine").digest("hex").slice(0, 8);
			expect([s.read("a.txt"), s.read(`.versions/${runId}/a.txt~${digits}`)]).toEqual(["theirs", "mine"]);
		});

		it("writes through no link and over no folder, and publishes the others", async () => {
			using outside = temporaryHome();
			const put = (folder: string) => {
				symlinkSync(outside.path, join(folder, "dir"));
				mkdirSync(join(folder, "folder.txt"));
			};
			await using s = await scene({ "dir/a.txt": "a", "folder.txt": "b", "fine.txt": "c" }, put);
			expect(s.begun.problems.map(({ file, problem }) => [file, problem.code])).toEqual([
				[0, "PATH_BLOCKED"],
				[1, "PATH_BLOCKED"],
			]);
			await s.disk.write(batch([0, "a"], [1, "b"], [2, "c"]));
			const { published, problems } = await s.disk.publish();
			expect([published, problems.map(({ problem }) => problem.code)]).toEqual([[2], ["PATH_BLOCKED", "PATH_BLOCKED"]]);
			expect(readdirSync(outside.path)).toEqual([]);
			expect(lstatSync(join(s.folder, "folder.txt")).isDirectory()).toBe(true);
		});

		it("knows which files are there although nothing can be staged", async () => {
			await using s = await scene({ "a.txt": "a", "b.txt": "bb" }, (folder) => {
				writeFileSync(join(folder, "a.txt"), "a");
				// In the place of the folder for staged files.
				writeFileSync(join(folder, ".xworkmate"), "");
			});
			expect(s.begun).toMatchObject({ published: [0], problems: [{ file: 1, problem: { path: "b.txt" } }] });
			expect(s.begun.problems).toHaveLength(1);
		});

		it("leaves nothing of its own behind, whatever was staged, and removes what an earlier one left", async () => {
			const left = (folder: string) => {
				mkdirSync(join(folder, ".xworkmate", "staging", "run-0"), { recursive: true });
				writeFileSync(join(folder, ".xworkmate", "staging", "run-0", "0"), "half");
			};
			const home = temporaryHome();
			left(home.path);
			const disk = open({ folder: home.path, runId });
			await disk.begin(wanted({ "a.txt": "a", "b.txt": "bb" }));
			await disk.write(batch([0, "a"], [1, "b", "first"]));
			await disk[Symbol.asyncDispose]();
			expect(readdirSync(home.path)).toEqual([]);
			expect(existsSync(home.path)).toBe(true);
			home[Symbol.dispose]();
		});
	});
}
