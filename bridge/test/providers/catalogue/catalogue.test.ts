import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { catalogue } from "../../../src/providers/catalogue/catalogue.ts";
import { CommandLookup } from "../../../src/providers/catalogue/catalogue-lookup.ts";

const folders: string[] = [];
afterEach(async () => {
	await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function folder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), "catalogue "));
	folders.push(path);
	return path;
}

describe("the catalogue", () => {
	it("[T4-38] has the agents that are required and those beside them, each with a way to get it and to log in", () => {
		expect(catalogue.map(({ providerId }) => providerId)).toEqual(["codex", "opencode", "gemini", "hermes", "goose", "claude", "qwen"]);
		for (const { install = "", login, command } of catalogue)
			expect([install, login, command].every((words) => words.length > 0)).toBe(true);
	});
});

describe("the lookup of a command", () => {
	it("finds an executable file in the order of PATH, and nothing else", async () => {
		const [first, second] = [await folder(), await folder()];
		await mkdir(join(first, "goose"));
		await writeFile(join(first, "plain"), "");
		await writeFile(join(second, "goose"), "#!/bin/sh\n");
		await chmod(join(second, "goose"), 0o755);
		const lookup = new CommandLookup([".", "", first, second].join(delimiter));
		expect(await lookup.find("goose")).toBe(join(second, "goose"));
		expect(await lookup.find(join(second, "goose"))).toBe(join(second, "goose"));
		if (process.getuid?.() !== 0) expect(await lookup.find("plain")).toBeUndefined();
		expect(await lookup.find("none")).toBeUndefined();
		expect(await new CommandLookup(undefined).find("goose")).toBeUndefined();
	});

	it("sees what was installed meanwhile after a second", async () => {
		const path = await folder();
		let now = 0;
		const lookup = new CommandLookup(path, () => now);
		expect(await lookup.find("goose")).toBeUndefined();
		await writeFile(join(path, "goose"), "");
		await chmod(join(path, "goose"), 0o755);
		expect(await lookup.find("goose")).toBeUndefined();
		now = 1_001;
		expect(await lookup.find("goose")).toBe(join(path, "goose"));
	});
});
