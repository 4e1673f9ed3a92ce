import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ScriptRig } from "./script-rig.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const examples = new URL("../../../../examples/", import.meta.url);

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

describe("the examples", () => {
	it.each([
		["report.md", ["data/sales.csv", "report.md"], "Three months, 3536.75 in total. The report is in report.md."],
		["checks.md", ["badge.svg", "checks.json"], '{\n  "passed": 3,\n  "of": 3\n}'],
		["countdown.md", ["log.txt"], "Lift-off."],
	])("%s runs, and writes what the README says", async (name, files, answer) => {
		const { outcome, sink, directory } = await rig.run(await readFile(new URL(name, examples), "utf8"));
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe(answer);
		const written = await readdir(directory, { recursive: true, withFileTypes: true });
		expect(
			written
				.filter((entry) => entry.isFile())
				.map((entry) => `${entry.parentPath}/${entry.name}`.slice(directory.length + 1))
				.sort(),
		).toEqual(files);
		const readme = await readFile(new URL("README.md", examples), "utf8");
		for (const path of files) expect(readme).toContain(`\`${path}\``);
	});

	it("are all listed and all run here", async () => {
		const pages = (await readdir(examples)).filter((name) => name.endsWith(".md"));
		expect(pages.sort()).toEqual(["README.md", "checks.md", "countdown.md", "report.md"]);
	});
});
