import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { openArtifactContract, type RejectedArtifact } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type VaultFixture, vaultFixture } from "./artifact-store-fixture.ts";
import { canMount, mounted } from "./mounted.ts";

const isRoot = process.getuid?.() === 0;

async function rejections(fixture: VaultFixture, request: Parameters<VaultFixture["collect"]>[0] = {}): Promise<Record<string, string>> {
	fixture.write("good.txt");
	const { items, rejected } = await fixture.collect(request);
	expect(items.map((item) => item.relativePath)).toContain("good.txt");
	return Object.fromEntries(rejected.map(({ path, reason }: RejectedArtifact) => [path, reason]));
}

describe("what is in the scope and does not count", () => {
	it("symlink: to a file, to a directory, dangling, and nothing behind it is looked at", async () => {
		await using fixture = await vaultFixture();
		mkdirSync(join(fixture.elsewhere, "folder"));
		writeFileSync(join(fixture.elsewhere, "folder", "secret.txt"), "secret");
		symlinkSync(join(fixture.elsewhere, "folder"), join(fixture.scope, "to-folder"));
		symlinkSync(join(fixture.elsewhere, "folder", "secret.txt"), join(fixture.scope, "to-file"));
		symlinkSync("nowhere", join(fixture.scope, "dangling"));
		symlinkSync("good.txt", join(fixture.scope, "inside"));
		expect(await rejections(fixture)).toEqual({ "to-folder": "symlink", "to-file": "symlink", dangling: "symlink", inside: "symlink" });
	});

	it("symlink: the scope itself, or a folder on the way to it, was replaced", async () => {
		await using fixture = await vaultFixture();
		writeFileSync(join(fixture.elsewhere, "secret.txt"), "secret");
		mkdirSync(join(fixture.elsewhere, "scope"));
		writeFileSync(join(fixture.elsewhere, "scope", "secret.txt"), "secret");
		const link = join(fixture.scope, "..", "link");
		symlinkSync(fixture.elsewhere, link);
		const refused = { items: [], rejected: [{ path: ".", reason: "symlink" }] };
		expect(await fixture.collect({ artifactDirectory: link })).toEqual(refused);
		expect(await fixture.collect({ artifactDirectory: join(link, "scope") })).toEqual(refused);
	});

	it("symlink: a scope that was replaced is refused also if nothing is in what it leads to", async () => {
		await using fixture = await vaultFixture();
		mkdirSync(join(fixture.elsewhere, "scope"));
		const link = join(fixture.scope, "..", "link");
		symlinkSync(fixture.elsewhere, link);
		const refused = { items: [], rejected: [{ path: ".", reason: "symlink" }] };
		for (const replaced of [link, join(link, "scope")]) expect(await fixture.collect({ artifactDirectory: replaced })).toEqual(refused);
	});

	it("hard_link: both names of one file, wherever the other lies", async () => {
		await using fixture = await vaultFixture();
		writeFileSync(join(fixture.elsewhere, "secret.txt"), "secret");
		linkSync(join(fixture.elsewhere, "secret.txt"), join(fixture.scope, "linked.txt"));
		expect(await rejections(fixture)).toEqual({ "linked.txt": "hard_link" });
	});

	// Only root may mount.
	it.skipIf(!canMount())("mount: a folder, a file, and the scope itself, of the same file system too", async () => {
		await using fixture = await vaultFixture();
		mkdirSync(join(fixture.elsewhere, "folder"));
		writeFileSync(join(fixture.elsewhere, "folder", "secret.txt"), "secret");
		mkdirSync(join(fixture.scope, "a folder"));
		fixture.write("a file");
		using _folder = mounted(join(fixture.elsewhere, "folder"), join(fixture.scope, "a folder"));
		using _file = mounted(join(fixture.elsewhere, "folder", "secret.txt"), join(fixture.scope, "a file"));
		expect(await rejections(fixture)).toEqual({ "a folder/": "mount", "a file": "mount" });
		using _scope = mounted(fixture.elsewhere, fixture.scope);
		expect(await fixture.collect()).toEqual({ items: [], rejected: [{ path: ".", reason: "mount" }] });
	});

	it("special_file: a fifo nobody writes to, a socket, and a file where the scope was", async () => {
		await using fixture = await vaultFixture();
		execFileSync("mkfifo", [join(fixture.scope, "fifo")]);
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(join(fixture.scope, "socket"), resolve));
		expect(await rejections(fixture)).toEqual({ fifo: "special_file", socket: "special_file" });
		await new Promise((resolve) => server.close(resolve));
		expect(await fixture.collect({ artifactDirectory: join(fixture.scope, "good.txt") })).toEqual({
			items: [],
			rejected: [{ path: ".", reason: "special_file" }],
		});
	});

	it("unsafe_name: not UTF-8, not NFC, control and direction characters, backslash, too long", async () => {
		await using fixture = await vaultFixture();
		writeFileSync(Buffer.concat([Buffer.from(`${fixture.scope}/bad-`), Buffer.from([0xff, 0xfe])]), "x");
		const deep = Array.from({ length: 6 }, () => "d".repeat(200)).join("/");
		for (const name of ["e\u0301.txt", "a\u001b[2J.txt", "a\u202etxt.exe", "a\\b.txt", "line\nbreak", `${deep}/file`]) fixture.write(name);
		mkdirSync(Buffer.concat([Buffer.from(`${fixture.scope}/folder-`), Buffer.from([0xc3])]));
		const found = await rejections(fixture);
		expect(new Set(Object.values(found))).toEqual(new Set(["unsafe_name"]));
		expect(Object.keys(found)).toHaveLength(8);
		expect(found["bad-\ufffd\ufffd"]).toBe("unsafe_name");
		expect(found[`${deep}/`]).toBe("unsafe_name");
	});

	it("reserved_name: the bridge's own folders at the head of a path, in any case", async () => {
		await using fixture = await vaultFixture();
		for (const path of [".xworkmate/manifest.json", ".versions/a/b", ".XWorkmate/x", "sub/.versions/fine.txt"]) fixture.write(path);
		expect(await rejections(fixture)).toEqual({
			".xworkmate/manifest.json": "reserved_name",
			".versions/a/b": "reserved_name",
			".XWorkmate/x": "reserved_name",
		});
	});

	it("name_collision: all of those that one disk could not hold side by side", async () => {
		await using fixture = await vaultFixture();
		for (const path of ["Report.md", "report.md", "REPORT.MD", "x/a", "X", "y/b", "Y/c", "STRASSE"]) fixture.write(path);
		expect(await rejections(fixture)).toEqual({
			"Report.md": "name_collision",
			"report.md": "name_collision",
			"REPORT.MD": "name_collision",
			"x/a": "name_collision",
			X: "name_collision",
		});
	});

	it("[T4-31] placeholder: files that only keep a folder alive, whatever they hold", async () => {
		await using fixture = await vaultFixture();
		for (const path of ["a/.gitkeep", ".keep", "b/.DS_Store", "Thumbs.db", "c/Desktop.ini"]) fixture.write(path);
		const found = await rejections(fixture);
		expect(Object.keys(found).sort()).toEqual([".keep", "Thumbs.db", "a/.gitkeep", "b/.DS_Store", "c/Desktop.ini"]);
		expect(new Set(Object.values(found))).toEqual(new Set(["placeholder"]));
	});

	it("[T4-31] empty_required: an empty file where the contract asks for one; others may be empty", async () => {
		await using fixture = await vaultFixture();
		for (const path of ["report.pdf", "out/second.pdf", "empty.log", ".hidden.pdf"]) fixture.write(path, "");
		const contract = { ...openArtifactContract, required: [{ glob: "*.pdf", minCount: 1 }] };
		expect(await rejections(fixture, { contract })).toEqual({ "report.pdf": "empty_required", "out/second.pdf": "empty_required" });
	});

	it("too_large: more than the limit, never cut", async () => {
		await using fixture = await vaultFixture({ maxFileBytes: 10 });
		fixture.write("fits.txt", "0123456789");
		fixture.write("large.txt", "0123456789a");
		expect(await rejections(fixture)).toEqual({ "large.txt": "too_large" });
	});

	it("too_many: what comes after the limit in byte order", async () => {
		await using fixture = await vaultFixture({ maxFiles: 2 });
		for (const path of ["z.txt", "b/a.txt", "b.txt"]) fixture.write(path);
		fixture.write("good.txt");
		const { items, rejected } = await fixture.collect();
		expect(items.map((item) => item.relativePath)).toEqual(["b.txt", "b/a.txt"]);
		expect(rejected).toEqual([
			{ path: "good.txt", reason: "too_many" },
			{ path: "z.txt", reason: "too_many" },
		]);
	});

	it("too_many: a directory beyond the entries looked at stands for what is in it", async () => {
		await using fixture = await vaultFixture({ maxEntries: 5 });
		for (let file = 0; file < 10; file++) fixture.write(`many/${file}.txt`);
		const { items, rejected } = await fixture.collect();
		expect(items).toHaveLength(4);
		expect(rejected).toEqual([{ path: "many/", reason: "too_many" }]);
	});

	it("changed_while_reading: a file that is written without pause", async () => {
		await using fixture = await vaultFixture();
		fixture.write("busy.bin", "");
		truncateSync(join(fixture.scope, "busy.bin"), 64 * 1024 ** 2);
		await using _writer = await restless(join(fixture.scope, "busy.bin"));
		expect(await rejections(fixture)).toEqual({ "busy.bin": "changed_while_reading" });
	});

	it.skipIf(isRoot)("changed_while_reading: a file or a directory that may not be read", async () => {
		await using fixture = await vaultFixture();
		fixture.write("locked.txt");
		fixture.write("folder/inside.txt");
		chmodSync(join(fixture.scope, "locked.txt"), 0o000);
		chmodSync(join(fixture.scope, "folder"), 0o000);
		expect(await rejections(fixture)).toEqual({ "locked.txt": "changed_while_reading", "folder/": "changed_while_reading" });
		chmodSync(join(fixture.scope, "folder"), 0o700);
	});

	it("accepts dotfiles that are nobody's: they are files like any other", async () => {
		await using fixture = await vaultFixture();
		for (const path of [".env.example", ".github/workflows/ci.yml"]) fixture.write(path);
		expect(await rejections(fixture)).toEqual({});
	});
});

/** A thread that changes a file's times as fast as it can, until disposed of. */
async function restless(path: string): Promise<AsyncDisposable> {
	const source = `
		const { utimesSync } = require("node:fs");
		const { parentPort, workerData } = require("node:worker_threads");
		parentPort.postMessage("started");
		for (let turn = 0; Atomics.load(workerData.stop, 0) === 0; turn++) utimesSync(workerData.path, turn, turn);
	`;
	const stop = new Int32Array(new SharedArrayBuffer(4));
	const worker = new Worker(source, { eval: true, workerData: { path, stop } });
	await new Promise((resolve) => worker.once("message", resolve));
	return {
		async [Symbol.asyncDispose]() {
			Atomics.store(stop, 0, 1);
			await worker.terminate();
		},
	};
}
