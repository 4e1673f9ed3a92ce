import { existsSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HomeUnderTest, openHome, toolFile, withDemo } from "./home-under-test.ts";

async function demoOf(home: HomeUnderTest) {
	const { integrations } = await home.tools.service.list({});
	return integrations.find(({ integration }) => integration === "demo");
}

/** Of imports that never end. */
const bounds = { importMs: 400 };

describe("what is wrong with an integration's files", { timeout: 40_000 }, () => {
	it.each([
		["a file that does not parse", "export const a: number = ;\n", { code: "SYNTAX", file: "tools.ts", line: 1, column: 26 }],
		["TypeScript that has to be compiled", "export const a = 1;\nenum Kind { One }\n", { code: "SYNTAX", file: "tools.ts", line: 2 }],
		["a name that is declared twice", "let a = 1;\nlet a = 2;\n", { code: "SYNTAX", file: "tools.ts" }],
		[
			"a file that throws",
			"const a = 1;\nthrow new Error('no ' + a);\n",
			{ code: "IMPORT_FAILED", message: "no 1", file: "tools.ts", line: 2, column: 7 },
		],
		["a package that is not ours", 'import "left-pad";\n', { code: "IMPORT_FAILED", file: "tools.ts" }],
		["a file of its own that is not there", 'import "./client.ts";\n', { code: "IMPORT_FAILED", file: "tools.ts" }],
		["a file outside its folder", 'import "../other/client.ts";\n', { code: "IMPORT_FAILED", file: "tools.ts" }],
		["a file of the system by its path", 'import "file:///etc/passwd";\n', { code: "IMPORT_FAILED", file: "tools.ts" }],
		["code in an address", 'import "data:text/javascript,1";\n', { code: "IMPORT_FAILED", file: "tools.ts" }],
		["an import that never ends", "await new Promise(() => setInterval(() => {}, 1000));\n", { code: "IMPORT_TIMEOUT", file: "tools.ts" }],
		["an import that never lets go", "for (;;) {}\n", { code: "IMPORT_TIMEOUT", file: "tools.ts" }],
		["a file that exits", "process.exit(0);\n", { code: "HOST_LOST", file: "tools.ts" }],
		[
			"a file that exits soon",
			"setImmediate(() => process.exit(3)); await new Promise((resolve) => setTimeout(resolve, 300));\n",
			{ code: "HOST_LOST" },
		],
		["no tools", "export const a = 1;\n", { code: "NO_TOOLS" }],
		["an id of another form", toolFile({ id: "demo.say" }), { code: "BAD_ID", file: "tools.ts", line: 4, column: 8 }],
		[
			"a name that every object has",
			`${toolFile({ method: "constructor" }).replace("const constructor", "const a")}export { a as constructor };\n`,
			{ code: "BAD_ID" },
		],
		["an id of another integration", toolFile({ id: "other.word.say" }), { code: "FOREIGN_INTEGRATION", file: "tools.ts" }],
		[
			"a schema with a transform",
			toolFile({ input: "z.object({ at: z.string().transform((text) => new Date(text)) })" }),
			{ code: "BAD_SCHEMA" },
		],
		["a schema of what JSON does not have", toolFile({ output: "z.object({ at: z.date() })" }), { code: "BAD_SCHEMA" }],
		["no schema", toolFile({ input: "{}" }), { code: "BAD_SCHEMA" }],
		["a risk that is none", toolFile({ risk: "none" }), { code: "BAD_SCHEMA" }],
		["a file that is too large", `//${"x".repeat(256 * 1024)}\n`, { code: "TOO_LARGE", file: "tools.ts" }],
	])("[T1-13] [T1-14] says what is wrong: %s", async (_what, text, problem) => {
		await using home = await withDemo(text, problem.code === "IMPORT_TIMEOUT" ? { bounds } : {});
		const demo = await demoOf(home);
		expect(demo).toMatchObject({ state: "failed", tools: [], problems: [problem] });
		expect((await home.tools.hosts.catalogue()).tools.size).toBe(0);
		expect(await home.hosts()).toEqual([]);
	});

	it("tries an import that takes too long once more, since it may be the machine that is busy", async () => {
		// The first import ends at its bound, after this moment; whatever comes later loads.
		const until = Date.now() + 7_500;
		await using home = await withDemo(`while (Date.now() < ${until});\n${toolFile({})}`, { bounds: { importMs: 4_000 } });
		expect(await demoOf(home)).toMatchObject({ problems: [], tools: [{ toolId: "demo.word.say" }] });
	});

	it("has the folder of tools before they are read, and makes no home anew that is gone by then", async () => {
		await using home = await openHome();
		expect(existsSync(join(home.path, "tools"))).toBe(true);
		await rm(join(home.path, "tools"), { recursive: true });
		await home.tools.begin();
		expect(existsSync(join(home.path, "tools"))).toBe(false);
	});

	it("names both files of a name or an id that is there twice", async () => {
		await using home = await openHome();
		await home.write("tools/demo/a.ts", toolFile());
		await home.write("tools/demo/b.ts", toolFile({ id: "demo.word.shout" }));
		await home.write("tools/demo/c.ts", toolFile({ method: "tell" }));
		await home.tools.begin();
		const { problems = [] } = (await demoOf(home)) ?? {};
		expect(problems.map(({ code }) => code)).toEqual(["DUPLICATE_NAME", "DUPLICATE_ID"]);
		expect(problems[0]?.message).toContain("a.ts and by b.ts");
		expect(problems[1]?.message).toContain("a.ts and of tell in c.ts");
	});

	it("refuses links, odd names and too many files, and reads nothing through a link", async () => {
		await using home = await openHome();
		await home.write("elsewhere/tools.ts", toolFile());
		await mkdir(join(home.path, "tools", "demo"), { recursive: true });
		await symlink(join(home.path, "elsewhere"), join(home.path, "tools", "linked"));
		await symlink(join(home.path, "elsewhere", "tools.ts"), join(home.path, "tools", "demo", "tools.ts"));
		await home.write("tools/odd/a b.ts", toolFile({ id: "odd.word.say" }));
		await home.write("tools/files/tools.ts", toolFile({ id: "files.word.say" }));
		for (let n = 0; n < 201; n++) await home.write(`tools/many/f${n}.ts`, "");
		await home.tools.begin();
		const { integrations } = await home.tools.service.list({});
		expect(integrations.map(({ integration, problems }) => [integration, problems[0]?.code])).toEqual([
			["demo", "IMPORT_FAILED"],
			["files", "FOREIGN_INTEGRATION"],
			["linked", "IMPORT_FAILED"],
			["many", "TOO_LARGE"],
			["odd", "IMPORT_FAILED"],
		]);
	});

	it("keeps what a file prints out of the protocol, however much it is", async () => {
		const print = `for (let n = 0; n < 1600; n++) console.log("x".repeat(65536));\nprocess.stdout.write("more"); process.stderr.write("more");\n`;
		await using home = await withDemo(toolFile({ head: print }));
		expect(await demoOf(home)).toMatchObject({ state: "active", problems: [] });
	});

	it("ends a process that allocates without end, and one that writes into the protocol", async () => {
		const hoard = "const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));\n";
		await using home = await openHome();
		await home.write("tools/demo/tools.ts", toolFile({ head: hoard }));
		await home.write(
			"tools/liar/tools.ts",
			`import { writeSync } from "node:fs";\nwriteSync(1, "not a frame, and a very long one");\nawait new Promise(() => {});\n`,
		);
		await home.write("tools/buffers/tools.ts", "const kept = []; for (;;) kept.push(Buffer.alloc(2 ** 26, 1));\n");
		await home.tools.begin();
		const { integrations } = await home.tools.service.list({});
		const codes = integrations.map(({ integration, problems }) => [integration, problems[0]?.code]);
		expect(codes).toEqual([
			["buffers", expect.stringMatching(/HOST_LOST|IMPORT_FAILED/)],
			["demo", "HOST_LOST"],
			["liar", "HOST_LOST"],
		]);
		expect(await home.hosts()).toEqual([]);
	});
});
