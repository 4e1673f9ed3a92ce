import { closeSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDescriptorTree } from "../../src/scope-tree/descriptor-tree.ts";
import { openPathTree } from "../../src/scope-tree/path-tree.ts";
import { isScopeError } from "../../src/scope-tree/scope-error.ts";
import type { ScopeTree } from "../../src/scope-tree/scope-tree.ts";

const kinds = [
	{ kind: "by descriptors", open: openDescriptorTree, here: process.platform === "linux" },
	{ kind: "by checked paths", open: openPathTree, here: true },
].filter(({ here }) => here);

interface Ground extends AsyncDisposable {
	readonly root: string;
	readonly outside: string;
}

async function ground(): Promise<Ground> {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "xw-scope-tree-")));
	const [root, outside] = [join(path, "scope"), join(path, "outside")];
	writeFile(join(root, "folder", "file.txt"), "inside");
	writeFile(join(outside, "file.txt"), "outside");
	return { root, outside, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function writeFile(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

function read(tree: ScopeTree, path: readonly string[]): string {
	const descriptor = tree.open(path);
	try {
		return readFileSync(descriptor, "utf8");
	} finally {
		closeSync(descriptor);
	}
}

function refused(step: () => unknown): boolean {
	try {
		step();
		return false;
	} catch (error) {
		return isScopeError(error);
	}
}

describe.each(kinds)("a scope walked $kind", ({ open }) => {
	it("lists, describes and opens what is there", async () => {
		await using place = await ground();
		writeFileSync(join(place.root, "b"), "");
		using tree = open(place.root);
		expect(tree.list([], 10)).toEqual({ names: [Buffer.from("b"), Buffer.from("folder")], complete: true });
		expect(tree.list([], 1)).toMatchObject({ complete: false });
		expect(tree.stat(["folder", "file.txt"]).size).toBe(6n);
		expect(read(tree, ["folder", "file.txt"])).toBe("inside");
	});

	it("refuses a folder that was swapped for a link, before and after it was entered", async () => {
		await using place = await ground();
		using fresh = open(place.root);
		using entered = open(place.root);
		expect(entered.list(["folder"], 10).names).toHaveLength(1);
		renameSync(join(place.root, "folder"), join(place.root, "aside"));
		symlinkSync(place.outside, join(place.root, "folder"));
		for (const tree of [fresh, entered]) {
			expect(refused(() => tree.open(["folder", "file.txt"]))).toBe(true);
			tree.forget();
			for (const step of [() => tree.list(["folder"], 10), () => tree.stat(["folder", "file.txt"])]) expect(refused(step)).toBe(true);
		}
		expect(read(fresh, ["aside", "file.txt"])).toBe("inside");
	});

	it("refuses a link at the end of a path, and a root that is one", async () => {
		await using place = await ground();
		symlinkSync(join(place.outside, "file.txt"), join(place.root, "link"));
		symlinkSync(place.outside, join(place.root, "..", "root link"));
		using tree = open(place.root);
		expect(tree.stat(["link"]).isSymbolicLink()).toBe(true);
		expect(refused(() => tree.open(["link"]))).toBe(true);
		expect(refused(() => open(join(place.root, "..", "root link")))).toBe(true);
	});

	it("refuses a folder that was moved out of the scope after it was entered", async () => {
		await using place = await ground();
		using tree = open(place.root);
		expect(read(tree, ["folder", "file.txt"])).toBe("inside");
		renameSync(join(place.root, "folder"), join(place.outside, "moved"));
		writeFileSync(join(place.outside, "moved", "new.txt"), "outside");
		expect(refused(() => tree.open(["folder", "new.txt"]))).toBe(true);
		expect(refused(() => tree.open(["folder", "file.txt"]))).toBe(true);
	});

	it("says of a folder that came back that it is there, once it has forgotten the old one", async () => {
		await using place = await ground();
		using tree = open(place.root);
		expect(read(tree, ["folder", "file.txt"])).toBe("inside");
		rmSync(join(place.root, "folder"), { recursive: true });
		mkdirSync(join(place.root, "folder"));
		writeFileSync(join(place.root, "folder", "file.txt"), "again");
		tree.forget();
		expect(read(tree, ["folder", "file.txt"])).toBe("again");
	});
});
