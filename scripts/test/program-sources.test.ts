import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashOfSources, unknownSources } from "../pack/program-sources.ts";

let root: string;

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "sources-"));
	await write("bridge/src/main.ts", "start();");
	await write("pnpm-lock.yaml", "lockfileVersion: '9.0'");
});

afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(join(root, path)), { recursive: true });
	await writeFile(join(root, path), text);
}

test.each([
	["a source changes, even in no byte more or less", "bridge/src/main.ts", "stop_();"],
	["a source is added", "contracts/src/ids/more.ts", ""],
	["the installed packages change", "pnpm-lock.yaml", "lockfileVersion: '10.0'"],
	["the build changes", "scripts/pack/bundle-programs.ts", "bundle();"],
])("tests get other programs when %s", async (_, path, text) => {
	const before = await hashOfSources(root);
	expect(await hashOfSources(root)).toBe(before);
	await write(path, text);
	expect(await hashOfSources(root)).not.toBe(before);
});

test("tests keep the programs when a test or a document changes", async () => {
	const before = await hashOfSources(root);
	await write("bridge/test/main.test.ts", "test();");
	await write("docs/protocol.md", "# Protocol");
	expect(await hashOfSources(root)).toBe(before);
});

test("a module from elsewhere in the repository is named; one of a package is not", () => {
	const modules = ["bridge/src/main.ts", "bench/main.ts", "node_modules/ws/index.js"].map((path) => join(root, path));
	expect(unknownSources([...modules, "\0rolldown/runtime.js"], root)).toEqual(["bench/main.ts"]);
});
