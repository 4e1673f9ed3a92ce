import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createDurably, writeDurably } from "../../src/files/index.ts";

const script = fileURLToPath(new URL("write-until.ts", import.meta.url));

function temporaryFolder(): Disposable & { readonly path: string } {
	const path = mkdtempSync(join(tmpdir(), "durable files "));
	return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The steps of a write by another process, up to where it was killed or failed. */
function stepsOf(operation: "writeDurably" | "createDurably", path: string, text: string, at = 0, how: "kill" | "full" = "kill"): string[] {
	const { stdout, stderr } = spawnSync(process.execPath, [script, operation, path, text, String(at), how], { encoding: "utf8" });
	expect(stderr).toBe("");
	return stdout.trim().split("\n");
}

describe("a durable write", () => {
	it("syncs the text before the file takes its name, and the folder after", () => {
		using folder = temporaryFolder();
		const path = join(folder.path, "file");
		expect(stepsOf("writeDurably", path, "new")).toEqual([
			...["open beside", "write beside", "sync beside", "rename target", "remove beside", "open folder", "sync folder"],
		]);
		expect(stepsOf("createDurably", join(folder.path, "other"), "new")).toEqual([
			...["open beside", "write beside", "sync beside", "link target", "remove beside", "open folder", "sync folder"],
		]);
	});

	it.each([1, 2, 3, 4, 5, 6, 7])("leaves the old text or the new one, whole, when it is killed before its step %i", (at) => {
		using folder = temporaryFolder();
		const path = join(folder.path, "file");
		writeDurably(path, "the old text");
		expect(stepsOf("writeDurably", path, "the new text", at)).toHaveLength(at);
		expect(readFileSync(path, "utf8")).toBe(at <= 4 ? "the old text" : "the new text");
		writeDurably(path, "a later text");
		expect(readFileSync(path, "utf8")).toBe("a later text");
	});

	it.each([1, 2, 3, 4, 5, 6, 7])("creates no file or a whole one, when it is killed before its step %i", (at) => {
		using folder = temporaryFolder();
		const path = join(folder.path, "file");
		stepsOf("createDurably", path, "first", at);
		expect(createDurably(path, "second")).toBe(at <= 4);
		expect(readFileSync(path, "utf8")).toBe(at <= 4 ? "second" : "first");
	});

	it("keeps the old text and leaves nothing beside it when the disk is full", () => {
		using folder = temporaryFolder();
		const path = join(folder.path, "file");
		writeDurably(path, "the old text");
		expect(stepsOf("writeDurably", path, "the new text", 2, "full").at(-1)).toBe("failed ENOSPC");
		expect(readFileSync(path, "utf8")).toBe("the old text");
		expect(readdirSync(folder.path)).toEqual(["file"]);
	});

	it("creates a file only once: the first one wins", () => {
		using folder = temporaryFolder();
		const path = join(folder.path, "new", "folder", "file");
		expect(createDurably(path, "first")).toBe(true);
		expect(createDurably(path, "second")).toBe(false);
		expect(readFileSync(path, "utf8")).toBe("first");
		expect(readdirSync(join(path, ".."))).toEqual(["file"]);
	});

	it("makes the file for its owner alone, with the folders above it, whatever was there", () => {
		using folder = temporaryFolder();
		const path = join(folder.path, "new", "file");
		mkdirSync(join(folder.path, "new"), { mode: 0o700 });
		writeFileSync(path, "old", { mode: 0o644 });
		writeDurably(path, "new");
		const made = join(folder.path, "a", "b", "file");
		writeDurably(made, "new");
		expect([path, made].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
		expect([join(made, ".."), join(made, "../..")].map((file) => statSync(file).mode & 0o777)).toEqual([0o700, 0o700]);
	});

	it("replaces a link and does not follow it", () => {
		using folder = temporaryFolder();
		const elsewhere = join(folder.path, "elsewhere");
		const path = join(folder.path, "file");
		writeFileSync(elsewhere, "theirs");
		symlinkSync(elsewhere, path);
		writeDurably(path, "ours");
		expect([readFileSync(elsewhere, "utf8"), readFileSync(path, "utf8")]).toEqual(["theirs", "ours"]);
	});
});
