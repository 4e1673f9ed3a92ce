import { lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArtifactScope, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type DiskOperations, diskOperations, FolderDisk, type SyncPlace } from "../../src/sync/index.ts";
import { sha256 } from "../support/fake-run.ts";
import { changed, SyncScene } from "../support/sync-scene.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`part-${index % 7}/f${index}.txt`, `text of ${index}`]));
const big = Buffer.alloc(5 * 1024 * 1024 + 17, "0123456789abcdef");

function withDisk(change: Partial<DiskOperations>) {
	return { openDisk: (place: SyncPlace) => new FolderDisk({ ...diskOperations, ...change }, place) };
}

function noSpace(): never {
	throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
}

describe("a successful run's files", () => {
	it.each([
		["a few small files", { "report.md": "# hello", "data/ä b.csv": "1,2", "empty.txt": "" }],
		["more than a snapshot lists", many],
		["large ones", { "big.bin": big, "other/big.bin": Buffer.concat([big, big]) }],
	] as const)("[T4-10] [T4-46] [T4-82] are in the thread's folder with the manifest's bytes: %s", async (_what, files) => {
		await using scene = await SyncScene.open();
		const run = scene.finished(files);
		const result = await scene.sync(run);
		expect(result).toMatchObject({ status: "synced", problems: [] });
		expect(result.paths).toEqual(Object.keys(files));
		const there = scene.files();
		expect(Object.keys(there).sort()).toEqual(Object.keys(files).sort());
		for (const { relativePath, sha256: hash } of run.artifacts) expect(sha256(Buffer.from(there[relativePath] ?? "?"))).toBe(hash);
		expect(scene.thread.lastTaskArtifactRelativePaths).toEqual(Object.keys(files));
		expect(scene.leftovers()).toBe(false);
	});

	it("are not fetched or written again when they are there: a repeat does nothing", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "report.md": "# hello", "a/b.txt": "b" });
		await scene.sync(run);
		const before = statSync(join(scene.folder, "report.md"));
		scene.bridge.downloads.length = 0;
		expect(await scene.sync(run)).toMatchObject({ status: "synced", paths: ["report.md", "a/b.txt"] });
		expect(scene.bridge.downloads).toEqual([]);
		const after = statSync(join(scene.folder, "report.md"));
		expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
		expect(Object.keys(scene.files())).toEqual(["a/b.txt", "report.md"]);
	});

	it("an edit of the person's and an earlier run's file are kept under .versions before they are replaced", async () => {
		await using scene = await SyncScene.open();
		await scene.sync(scene.finished({ "report.md": "first", "notes/n.txt": "first notes", "same.txt": "same" }));
		scene.edit("report.md", "first, and my own words");
		await scene.sync(scene.finished({ "report.md": "second", "notes/n.txt": "second notes", "same.txt": "same" }));
		expect(scene.files()).toEqual({
			"report.md": "second",
			"notes/n.txt": "second notes",
			"same.txt": "same",
			[`.versions/run-t2/report.md~${sha256("first, and my own words").slice(0, 8)}`]: "first, and my own words",
			[`.versions/run-t2/notes/n.txt~${sha256("first notes").slice(0, 8)}`]: "first notes",
		});
		expect(scene.thread.lastTaskArtifactRelativePaths).toEqual(["report.md", "notes/n.txt", "same.txt"]);
	});

	it("a file that stands where a folder is needed is kept, too", async () => {
		await using scene = await SyncScene.open();
		scene.edit("out", "a plain file");
		await scene.sync(scene.finished({ "out/a.txt": "a" }));
		const kept = `.versions/run-t1/out~${sha256("a plain file").slice(0, 8)}`;
		expect(scene.files()).toEqual({ "out/a.txt": "a", [kept]: "a plain file" });
	});
});

describe("what is never synced", () => {
	it.each([
		["[T4-88] a run that did not succeed", { success: false }],
		["[T4-88] a failed run with files", { status: "failed", success: false }],
		["[T4-12] [T4-34] [T4-88] partial artifacts", { status: "artifact_missing", success: false }],
		["[T4-79] a running handle", { status: "running", success: false }],
		["[T4-87] another run's scope", { artifactScope: ArtifactScope.parse("tasks/x-0123456789ab/run-t1") }],
		["[T4-33] a run that is not the current one", { runId: RunId.parse("run-t0") }],
	] as const)("%s", async (_what, change) => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "report.md": "# hello" });
		expect(await scene.sync(run, { snapshot: changed(run, change) })).toMatchObject({ status: "partial", paths: [] });
		expect(scene.bridge.downloads).toEqual([]);
		expect(scene.files()).toEqual({});
	});

	it("[T4-21] [T4-30] [T4-94] [T4-95] files that only the folder, the text or other fields speak of", async () => {
		await using scene = await SyncScene.open();
		scene.edit("report.md", "written here by somebody");
		const run = scene.finished({});
		const snapshot = Object.assign(run.snapshot(), {
			output: { text: "I saved report.md", truncated: false, totalBytes: 17 },
			finalDeliverables: ["report.md"],
			files: [{ path: "report.md" }],
		});
		expect(await scene.sync(run, { snapshot })).toMatchObject({ status: "partial", paths: [] });
		expect(scene.files()).toEqual({ "report.md": "written here by somebody" });
	});
});

describe("a transfer that is not what it should be", () => {
	it("one file with other bytes leaves the others right and the status partial; a later sync brings it", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "good.txt": "good", "bad.txt": "true" });
		scene.bridge.onFile = (bytes, path) => (path === "bad.txt" ? Buffer.from("liar") : bytes);
		const result = await scene.sync(run);
		expect(result).toMatchObject({ status: "partial", paths: ["good.txt"], detail: { code: "WRONG_HASH" } });
		expect(scene.files()).toEqual({ "good.txt": "good" });
		expect(scene.thread).toMatchObject({
			lifecycleStatus: "ready",
			lastArtifactSyncStatus: "partial",
			lastTaskArtifactRelativePaths: ["good.txt"],
		});
		scene.bridge.onFile = (bytes) => bytes;
		scene.bridge.downloads.length = 0;
		expect(await scene.sync(run)).toMatchObject({ status: "synced", paths: ["good.txt", "bad.txt"] });
		expect(scene.bridge.downloads).toEqual(["/artifacts/run-t1/bad.txt"]);
	});

	it("a wrong byte in a tar stream is fetched again by itself", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished(many);
		scene.bridge.onTar = (entries) =>
			entries.map((entry) => (entry.name === "part-3/f3.txt" ? { ...entry, bytes: Buffer.from("text of X") } : entry));
		expect(await scene.sync(run)).toMatchObject({ status: "synced" });
		expect(scene.bridge.downloads).toEqual(["/artifacts/run-t1", "/artifacts/run-t1/part-3/f3.txt"]);
	});

	it("entries that are no files of the manifest are not written: '..', absolute, links, doubles, strangers", async () => {
		await using scene = await SyncScene.open();
		using outside = temporaryHome();
		const run = scene.finished(many);
		const evil = ["../escaped.txt", `${outside.path}/escaped.txt`, "part-1/../../escaped.txt", "stranger.txt", ".xworkmate/x", "part-1"];
		scene.bridge.onTar = ([manifest, ...entries]) => [
			...(manifest ? [manifest] : []),
			...evil.map((name) => ({ name, bytes: Buffer.from("evil") })),
			{ name: "link", bytes: Buffer.alloc(0), type: "symlink" as const },
			{ name: "part-0/f0.txt", bytes: Buffer.alloc(0), type: "symlink" as const },
			...entries,
			{ name: "part-0/f0.txt", bytes: Buffer.from("a second time") },
		];
		const result = await scene.sync(run);
		expect(result).toMatchObject({ status: "synced" });
		expect(new Set(result.problems.map(({ code }) => code))).toEqual(new Set(["UNEXPECTED_ENTRY"]));
		expect(scene.files()).toEqual(many);
		expect(Object.keys(many).every((path) => lstatSync(join(scene.folder, path)).isFile())).toBe(true);
	});

	it("entries that the stream leaves out are asked for one by one, and named when they never come", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished(many);
		scene.bridge.onTar = (entries) => entries.filter(({ name }) => name !== "part-5/f5.txt");
		scene.bridge.onFile = () => 409;
		const result = await scene.sync(run);
		expect(result).toMatchObject({
			status: "partial",
			detail: { message: expect.stringContaining("1 of 300 files was not saved in the folder") },
		});
		expect(result.problems).toEqual([expect.objectContaining({ code: "TRANSFER_FAILED", path: "part-5/f5.txt" })]);
		expect(result.paths).toHaveLength(299);
	});

	it.each([
		["of another run", (text: string) => text.replace("run-t1", "run-t9")],
		["with a '..' path", (text: string) => text.replace("part-0/f0.txt", "../f0.txt")],
		["with a hash changed", (text: string) => text.replace(sha256("text of 0"), sha256("evil"))],
		["with a size changed", (text: string) => text.replace('"sizeBytes":9', '"sizeBytes":8')],
		["that is not JSON", () => "{"],
		["that is missing", () => undefined],
	])("a manifest %s is refused, and nothing is written", async (_what, change) => {
		await using scene = await SyncScene.open();
		const run = scene.finished(many);
		scene.bridge.onTar = ([manifest, ...entries]) => {
			const text = change(manifest?.bytes.toString() ?? "");
			return text === undefined || manifest === undefined ? entries : [{ ...manifest, bytes: Buffer.from(text) }, ...entries];
		};
		expect(await scene.sync(run)).toMatchObject({ status: "partial", paths: [], detail: { code: "MANIFEST_REFUSED" } });
		expect(scene.files()).toEqual({});
		expect(scene.leftovers()).toBe(false);
	});

	it("a list in the snapshot that does not have its digest, or holds names that collide, is refused", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "a.txt": "a", "A.txt": "b" });
		expect(await scene.sync(run)).toMatchObject({ status: "partial", detail: { code: "MANIFEST_REFUSED" } });
		const other = scene.finished({ "a.txt": "a" });
		const { artifacts } = other.snapshot();
		const snapshot = changed(other, { artifacts: { ...artifacts, digest: sha256("another") } });
		expect(await scene.sync(other, { snapshot })).toMatchObject({ status: "partial", detail: { code: "MANIFEST_REFUSED" } });
		expect(scene.files()).toEqual({});
	});

	it("a bridge that goes away in the middle leaves what came, checked, and the rest for later", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "a.txt": "a", "b.txt": "b" });
		scene.bridge.onFile = (bytes, path) => {
			if (path === "b.txt") void scene.bridge.down();
			return bytes;
		};
		const result = await scene.sync(run);
		expect(result.status === "partial" || result.status === "synced").toBe(true);
		for (const path of result.paths) expect(scene.files()[path]).toBe(path[0]);
	});

	it("removed bytes are named, and not asked for for ever", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "a.txt": "a" });
		scene.bridge.onFile = () => 404;
		expect(await scene.sync(run)).toMatchObject({ status: "partial", paths: [], detail: { code: "TRANSFER_FAILED" } });
		expect(scene.bridge.downloads).toHaveLength(1);
	});
});

describe("a disk that does not do", () => {
	it.each([
		["staging a whole file", { write: (descriptor, bytes) => (bytes.length > 3 ? noSpace() : diskOperations.write(descriptor, bytes)) }],
		[
			"a large file's later piece",
			{ write: (descriptor, bytes) => (bytes.length > 100 ? noSpace() : diskOperations.write(descriptor, bytes)) },
		],
		["publishing", { rename: (from, to) => (to.endsWith("large.txt") ? noSpace() : diskOperations.rename(from, to)) }],
	] as const satisfies readonly (readonly [string, Partial<DiskOperations>])[])(
		"full while %s: the files that fit are right, the status partial",
		async (_when, fault) => {
			await using scene = await SyncScene.open();
			const run = scene.finished({ "s.txt": "s", "large.txt": Buffer.alloc(3_000_000, "x") });
			const result = await scene.sync(run, withDisk(fault));
			expect(result).toMatchObject({ status: "partial", detail: { code: "DISK_FULL" } });
			expect(scene.files()).toEqual(result.paths.includes("s.txt") ? { "s.txt": "s" } : {});
			expect(scene.leftovers()).toBe(false);
			expect(await scene.sync(run)).toMatchObject({ status: "synced", paths: ["s.txt", "large.txt"] });
		},
	);

	it("bytes that could not be made durable are not published", async () => {
		await using scene = await SyncScene.open();
		const run = scene.finished({ "a.txt": "a" });
		expect(await scene.sync(run, withDisk({ flush: noSpace }))).toMatchObject({ status: "partial", paths: [] });
		expect(scene.files()).toEqual({});
	});

	it("links in the way are refused, at the file, on the way to it, and among our own folders", async () => {
		await using scene = await SyncScene.open();
		using outside = temporaryHome();
		writeFileSync(join(outside.path, "secret.txt"), "secret");
		symlinkSync(outside.path, join(scene.folder, "dir"));
		symlinkSync(join(outside.path, "secret.txt"), join(scene.folder, "leaf.txt"));
		const run = scene.finished({ "dir/secret.txt": "evil", "leaf.txt": "evil", "fine.txt": "fine" });
		const result = await scene.sync(run);
		expect(result).toMatchObject({
			status: "partial",
			paths: ["fine.txt"],
			detail: { code: "PATH_BLOCKED", fix: "Move whatever is still in the way, then download the files again." },
		});
		expect(lstatSync(join(scene.folder, "leaf.txt")).isSymbolicLink()).toBe(true);
		symlinkSync(outside.path, join(scene.folder, ".xworkmate"));
		expect(await scene.sync(scene.finished({ "more.txt": "more" }))).toMatchObject({ status: "partial", paths: [] });
		expect(statSync(join(outside.path, "secret.txt")).size).toBe("secret".length);
	});

	it("a link planted as .versions takes no file out of the folder", async () => {
		await using scene = await SyncScene.open();
		using outside = temporaryHome();
		scene.edit("report.md", "mine");
		symlinkSync(outside.path, join(scene.folder, ".versions"));
		expect(await scene.sync(scene.finished({ "report.md": "theirs" }))).toMatchObject({ status: "partial", paths: [] });
		expect(scene.files()).toMatchObject({ "report.md": "mine" });
	});

	it("a folder of the file's name is left alone", async () => {
		await using scene = await SyncScene.open();
		mkdirSync(join(scene.folder, "report.md"));
		scene.edit("report.md/mine.txt", "mine");
		expect(await scene.sync(scene.finished({ "report.md": "x" }))).toMatchObject({ status: "partial", detail: { code: "PATH_BLOCKED" } });
		expect(scene.files()).toEqual({ "report.md/mine.txt": "mine" });
	});
});

it("publishes nothing when the app closes in the middle", async () => {
	await using scene = await SyncScene.open();
	const run = scene.finished({ "a.txt": "a" });
	scene.bridge.onFile = (bytes) => {
		scene.stop.abort();
		return bytes;
	};
	expect(await scene.sync(run)).toMatchObject({ status: "stopped" });
	expect(scene.files()).toEqual({});
});
