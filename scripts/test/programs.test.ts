import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takenFromProcess } from "../pack/builtin-parts.ts";
import { builtProgram, folderOf, noteBuilt, stateOfSources } from "../programs.mjs";

const HASH = "0123456789abcdef0123456789abcdef";

describe("programs that a checkout starts", () => {
	let root: string;

	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "programs-"));
		write("bridge/src/main.ts", "start();");
		write("pnpm-lock.yaml", "lockfileVersion: '9.0'");
	});

	afterEach(() => rmSync(root, { recursive: true, force: true }));

	function write(path: string, text: string): void {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}

	function build(): string {
		const program = join(folderOf(root, HASH), "programs", "main.js");
		mkdirSync(dirname(program), { recursive: true });
		writeFileSync(program, "");
		noteBuilt(root, HASH, stateOfSources(root).stamp);
		return program;
	}

	it("are those that were built from the sources as they are", () => {
		expect(builtProgram(root)).toBeUndefined();
		const program = build();
		expect(builtProgram(root)).toBe(program);
		write("bridge/test/main.test.ts", "test();");
		expect(builtProgram(root)).toBe(program);
	});

	it.each([
		["a source has other contents", () => write("bridge/src/main.ts", "start(); // now")],
		["a source is added", () => write("contracts/src/ids/more.ts", "")],
		["a source is removed", () => rmSync(join(root, "bridge/src/main.ts"))],
		["the installed packages are others", () => write("pnpm-lock.yaml", "lockfileVersion: '10.0'")],
		["they are gone", () => rmSync(folderOf(root, HASH), { recursive: true })],
		["what is noted of them can't be read", () => write(".cache/programs/built.json", "{")],
	])("are none when %s", (_, change) => {
		build();
		change();
		expect(builtProgram(root)).toBeUndefined();
	});

	it("are none when a source was changed to one of the same size and its time was set back", () => {
		const path = join(root, "bridge/src/main.ts");
		const before = new Date(1_700_000_000_000);
		utimesSync(path, before, before);
		build();
		writeFileSync(path, "stop_();");
		utimesSync(path, before, before);
		expect(builtProgram(root)).toBeUndefined();
	});

	it("are none when the checkout was moved: they name packages by its place", () => {
		build();
		const moved = `${root}-moved`;
		renameSync(root, moved);
		root = moved;
		expect(builtProgram(moved)).toBeUndefined();
	});

	it("are not built from sources that were just changed: the next change could look the same", () => {
		expect(stateOfSources(root).settled).toBe(false);
	});
});

describe("what a program takes from Node", () => {
	it.each([
		['import { join } from "node:path";', 'const { join } = globalThis.process.getBuiltinModule("node:path");'],
		[
			'import fs, { readFileSync as read, stat } from "fs";',
			'const fs = globalThis.process.getBuiltinModule("fs"), { readFileSync: read, stat } = globalThis.process.getBuiltinModule("fs");',
		],
		[
			'import { default as path, sep } from "node:path";',
			'const path = globalThis.process.getBuiltinModule("node:path"), { sep } = globalThis.process.getBuiltinModule("node:path");',
		],
		['import * as os from "node:os";', 'const os = globalThis.process.getBuiltinModule("node:os");'],
		['import process from "node:process";', 'const process = globalThis.process.getBuiltinModule("node:process");'],
	])("is taken from its process: %s", (line, taken) => {
		expect(takenFromProcess(`${line}\nrun();`)).toBe(`${taken}\nrun();`);
	});

	it.each(['import { z } from "zod";', 'import { a as b } from "./chunk-1.js";', 'import "node:fs";', 'x = `\n  import fs from "fs";`'])(
		"stays as it is: %s",
		(line) => expect(takenFromProcess(line)).toBe(line),
	);
});
