import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missingReferences, undescribedFolders, wrongHopCounts } from "../house/code-references.ts";
import { declarationsIn, isDeclared } from "../house/declarations.ts";
import { repositoryFiles, typescriptFiles } from "../house/source-file.ts";
import { repositoryRoot } from "../repository.ts";

const path = "docs/architecture.md";
const files = repositoryFiles(repositoryRoot);
const architecture = { path, text: readFileSync(join(repositoryRoot, path), "utf8") };

describe("docs/architecture.md", () => {
	it("names only folders, files, functions and members that exist", () => {
		expect(missingReferences(architecture, files)).toEqual([]);
	});

	it("counts the hops of each walk right", () => {
		expect(wrongHopCounts(architecture)).toEqual([]);
		expect(architecture.text.match(/\b\d+ hops in \d+ files; \d+ functions\b/g)).toHaveLength(3);
	});

	it("says what is in every folder with sources", () => {
		expect(undescribedFolders(architecture, typescriptFiles(files))).toEqual([]);
	});
});

describe("what a document says of the code", () => {
	const source = {
		path: "app/src/core/a.ts",
		text: "export class Book { #read() {} static open = 1; }\nconst table = { send: (x: number) => x };\nfunction run() { const { taken } = table; }",
	};
	const document = (text: string) => ({ path, text });

	it.each(["Book", "Book.#read", "Book.open", "table.send", "send", "run"])("finds %s", (name) => {
		expect(isDeclared(declarationsIn(source), name)).toBe(true);
	});

	it.each(["Book.read", "table.#read", "run.send", "run.taken", "Book.Book", "console"])("does not find %s", (name) => {
		expect(isDeclared(declarationsIn(source), name)).toBe(false);
	});

	it("fails where the file, the folder or what it declares is not there", () => {
		const text = "`app/src/core/`, `app/src/core/a.ts`, `app/src/core/a.ts:run`; `app/src/b.ts`, `app/src/old/`, `app/src/core/a.ts:walk`";
		expect(missingReferences(document(text), [source])).toEqual([
			`${path} names app/src/core/a.ts:walk, which that file does not declare`,
			`${path} names app/src/b.ts, which does not exist`,
			`${path} names app/src/old/, which does not exist`,
		]);
	});

	it("fails on a folder that is not described", () => {
		expect(undescribedFolders(document("`app/src/core/`"), [source, { path: "app/src/sync/b.ts", text: "" }])).toEqual([
			`${path} does not say what is in app/src/sync/`,
		]);
	});

	it("fails on a count that is wrong, and on hops without one or with a gap", () => {
		const hops = "1. `app/a.ts:a`\n2. `app/b.ts:b`: asks `app/c.ts:c`, and `app/a.ts:a` again\n";
		const right = "2 hops in 2 files; 3 functions with those they ask";
		const ofList = (said: string, list = hops) => wrongHopCounts(document(`### Forth\n\n${said}.\n\n${list}`));
		expect(ofList(right)).toEqual([]);
		for (const wrong of ["", right.replace("2 hops", "3 hops"), right.replace("2 files", "1 files"), right.replace("3 f", "2 f")]) {
			expect(ofList(wrong)).toEqual([`### Forth: the list has ${right}`]);
		}
		expect(ofList(right, hops.replace("2.", "3."))).toEqual(["### Forth: the hops are not numbered 1, 2, 3"]);
	});

	it("fails on two hops in a row that are in one file", () => {
		const text = "### Forth\n\n2 hops in 1 files; 2 functions with those they ask.\n\n1. `app/a.ts:a`\n2. `app/a.ts:b`\n";
		expect(wrongHopCounts(document(text))).toEqual(["### Forth: hop 2 is in the file of the hop before it"]);
	});
});
