import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactPathProblem } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ScopeFileError, ScopeFiles } from "../../../src/tools/built-in/scope-files.ts";

// Hundreds of files: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const running = new AbortController().signal;

class Disk implements AsyncDisposable {
	readonly home: string;
	readonly scope: string;

	private constructor(home: string) {
		this.home = home;
		this.scope = join(home, "tasks", "run-1");
	}

	static async open(): Promise<Disk> {
		const disk = new Disk(await realpath(await mkdtemp(join(tmpdir(), "scope-files-"))));
		await mkdir(disk.scope, { recursive: true });
		return disk;
	}

	/** Files under the home by their path. Links are told, not followed. */
	async files(folder = this.home): Promise<string[]> {
		const entries = await readdir(folder, { recursive: true, withFileTypes: true });
		return entries
			.filter((entry) => !entry.isDirectory())
			.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
			.sort();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.home, { recursive: true, force: true });
	}
}

const hostileSegment = fc.oneof(
	fc.constantFrom(
		"..",
		".",
		"",
		"...",
		".xworkmate",
		".XWORKMATE",
		".versions",
		"a",
		"A",
		"b.txt",
		"~",
		"%2e%2e",
		"..\\x",
		"C:",
		"con",
		"\u0000",
		"é",
		"e\u0301",
	),
	fc.string({ maxLength: 6 }),
	fc.string({ unit: "binary", maxLength: 4 }),
	fc.constant("x".repeat(256)),
);
const hostilePath = fc.oneof(
	fc.array(hostileSegment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/")),
	fc.string({ unit: "binary", maxLength: 40 }),
	fc.array(hostileSegment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
);

describe("the files of a scope", () => {
	it("are the only thing that any path can write, and only under exactly that path", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(hostilePath, { minLength: 1, maxLength: 8 }), async (paths) => {
				await using disk = await Disk.open();
				const files = await ScopeFiles.open(disk.scope);
				const written = new Set<string>();
				for (const path of paths) {
					try {
						await files.write(path, Buffer.from(path), running);
						expect(artifactPathProblem(path)).toBeUndefined();
						written.add(path);
					} catch (error) {
						expect(error).toBeInstanceOf(ScopeFileError);
					}
				}
				await files.close();
				expect((await disk.files()).map((path) => path.slice("tasks/run-1/".length))).toEqual([...written].sort());
				for (const path of written) expect(await readFile(join(disk.scope, path), "utf8")).toBe(path);
				expect((await files.list()).map((file) => file.path).sort()).toEqual([...written].sort());
			}),
			{ numRuns: 150 },
		);
	});

	it("stay inside although links lie about in the scope", async () => {
		const segment = fc.constantFrom("out", "file", "dangling", "real", "x", "secret.txt");
		await fc.assert(
			fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 3 }), async (segments) => {
				await using disk = await Disk.open();
				const outside = join(disk.home, "outside");
				await mkdir(outside);
				await writeFile(join(outside, "secret.txt"), "secret");
				await mkdir(join(disk.scope, "real"));
				for (const folder of [disk.scope, join(disk.scope, "real")]) {
					await symlink(outside, join(folder, "out"));
					await symlink(join(outside, "secret.txt"), join(folder, "file"));
					await symlink(join(outside, "new"), join(folder, "dangling"));
				}
				const files = await ScopeFiles.open(disk.scope);
				const path = segments.join("/");
				const [first = "", second = ""] = segments;
				const links = ["out", "file", "dangling"];
				const throughLink = links.includes(first) || (first === "real" && links.includes(second));
				const write = files.write(path, Buffer.from("x"), running);
				if (throughLink) await expect(write).rejects.toBeInstanceOf(ScopeFileError);
				else await write.catch((error: unknown) => expect(error).toMatchObject({ code: "NOT_A_FILE" }));
				if (throughLink) await expect(files.read(path, 1000)).rejects.toBeInstanceOf(ScopeFileError);
				await files.close();
				expect(await disk.files(outside)).toEqual(["secret.txt"]);
				expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
				expect((await files.list()).map((file) => file.path)).toEqual(throughLink || path === "real" ? [] : [path]);
			}),
			{ numRuns: 60, examples: [[["out", "secret.txt"]], [["real", "out", "secret.txt"]]] },
		);
	});

	it("appear whole or not at all when a write is stopped", async () => {
		const content = Buffer.alloc(8 * 2 ** 20, "x");
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 12 }), async (delayMs) => {
				await using disk = await Disk.open();
				const files = await ScopeFiles.open(disk.scope);
				const stop = AbortSignal.timeout(delayMs);
				const outcome = await files.write("big.bin", content, stop).then(
					() => "written",
					(error: unknown) => (error instanceof ScopeFileError ? error.code : error),
				);
				await files.close();
				expect(await disk.files()).toEqual(outcome === "written" ? ["tasks/run-1/big.bin"] : []);
				if (outcome === "written") expect((await stat(join(disk.scope, "big.bin"))).size).toBe(content.length);
				else expect(outcome).toBe("STOPPED");
			}),
			{ numRuns: 20 },
		);
	});

	it("are replaced as a whole, and keep their old content when the new one is refused", async () => {
		await using disk = await Disk.open();
		const files = await ScopeFiles.open(disk.scope);
		await files.write("a/b.txt", Buffer.from("one"), running);
		await files.write("a/b.txt", Buffer.from("two"), running);
		await expect(files.write("a/b.txt", Buffer.from("three"), AbortSignal.abort())).rejects.toMatchObject({ code: "STOPPED" });
		await expect(files.write("a", Buffer.from("file"), running)).rejects.toMatchObject({ code: "NOT_A_FILE" });
		await expect(files.write("a/b.txt/c", Buffer.from("below a file"), running)).rejects.toMatchObject({ code: "OUTSIDE_SCOPE" });
		await files.close();
		expect(await disk.files(disk.scope)).toEqual(["a/b.txt"]);
		expect((await files.read("a/b.txt", 10)).text).toBe("two");
	});

	it("keep the names of written files alone from others that differ only in case", async () => {
		await using disk = await Disk.open();
		const files = await ScopeFiles.open(disk.scope);
		const write = (path: string, signal = running) => files.write(path, Buffer.from("x"), signal);
		await mkdir(join(disk.scope, "Report.md"));
		await expect(write("Report.md")).rejects.toMatchObject({ code: "NOT_A_FILE" });
		await rm(join(disk.scope, "Report.md"), { recursive: true });
		await write("report.md");
		await expect(write("Notes/a.md", AbortSignal.abort())).rejects.toMatchObject({ code: "STOPPED" });
		await write("notes/a.md");
		await expect(write("report.md", AbortSignal.abort())).rejects.toMatchObject({ code: "STOPPED" });
		await expect(write("REPORT.md")).rejects.toMatchObject({ code: "NAME_COLLISION" });
		await expect(write("Notes/b.md")).rejects.toMatchObject({ code: "NAME_COLLISION" });
		// A name is in use from the beginning of its write.
		expect((await Promise.allSettled([write("Both.md"), write("both.md")])).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
		await expect(write("both.md")).rejects.toMatchObject({ code: "NAME_COLLISION" });
		await files.close();
	});

	it("are read within a bound, as text, and not when they are something else", async () => {
		await using disk = await Disk.open();
		const files = await ScopeFiles.open(disk.scope);
		await writeFile(join(disk.scope, "big.txt"), "x".repeat(11));
		await writeFile(join(disk.scope, "latin.txt"), Buffer.from([0xe9]));
		await mkdir(join(disk.scope, "folder"));
		await expect(files.read("big.txt", 10)).rejects.toMatchObject({ code: "TOO_LARGE" });
		await expect(files.read("latin.txt", 10)).rejects.toMatchObject({ code: "NOT_TEXT" });
		await expect(files.read("folder", 10)).rejects.toMatchObject({ code: "NOT_A_FILE" });
		await expect(files.read("missing.txt", 10)).rejects.toMatchObject({ code: "NOT_FOUND" });
		await expect(files.read("missing/too.txt", 10)).rejects.toMatchObject({ code: "NOT_FOUND" });
		await expect(files.read("../run-1/big.txt", 100)).rejects.toMatchObject({ code: "PATH_UNSAFE" });
	});

	it("are refused without the paths of this machine", async () => {
		await using disk = await Disk.open();
		const files = await ScopeFiles.open(disk.scope);
		await rm(disk.scope, { recursive: true });
		const works = [() => files.write("a.txt", Buffer.from("x"), running), () => files.read("a.txt", 10), () => files.list()];
		for (const work of works) {
			const error: unknown = await work().then(
				() => undefined,
				(reason: unknown) => reason,
			);
			expect(error).toBeInstanceOf(ScopeFileError);
			expect(String(error)).not.toContain(disk.home);
		}
	});
});
