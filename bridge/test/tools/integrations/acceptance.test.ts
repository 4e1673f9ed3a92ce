import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IntegrationId, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { demo, type HomeUnderTest, hostedCall, never, openHome, toolFile, withDemo } from "./home-under-test.ts";

const CHANGED = toolFile({ handler: "async () => ({ said: 'changed' })" });

async function demoOf(home: HomeUnderTest) {
	const { integrations } = await home.tools.service.list({});
	const found = integrations.find(({ integration }) => integration === demo);
	if (found === undefined) throw new Error("there is no integration demo");
	return found;
}

async function said(home: HomeUnderTest) {
	const tool = await home.tool("demo.say");
	const outcome = await home.tools.hosts.call(tool, hostedCall(), never);
	return outcome.kind === "succeeded" ? outcome.output : outcome;
}

describe("acceptance of code", { timeout: 40_000 }, () => {
	it("[T1-84] new code is listed and not accepted, until a person accepts exactly this version", async () => {
		await using home = await openHome();
		await home.write("tools/demo/tools.ts", toolFile());
		await home.tools.begin();
		const before = await demoOf(home);
		expect(before).toMatchObject({ state: "unaccepted", tools: [{ toolId: "demo.word.say", method: "say" }] });
		const unaccepted = await home.tool("demo.say");
		expect(unaccepted.isAccepted).toBe(false);
		const { toolHash } = before;
		if (toolHash === undefined) throw new Error("nothing is loaded");
		const after = await home.tools.service.accept({ integration: demo, toolHash });
		expect(after).toMatchObject({ state: "active", accepted: { toolHash, by: "person" } });
		expect((await home.tool("demo.say")).isAccepted).toBe(true);
		await home.reopen();
		expect(await demoOf(home)).toMatchObject({ state: "active", toolHash });
		expect((await home.tool("demo.say")).isAccepted).toBe(true);
	});

	it("refuses to accept another version than the one that is loaded", async () => {
		await using home = await openHome();
		await home.write("tools/demo/tools.ts", toolFile());
		await home.tools.begin();
		const { toolHash: seen } = await demoOf(home);
		if (seen === undefined) throw new Error("nothing is loaded");
		await home.write("tools/demo/tools.ts", CHANGED);
		await home.tools.service.reload({});
		await expect(home.tools.service.accept({ integration: demo, toolHash: seen })).rejects.toMatchObject({ code: "TOOL_CHANGED" });
		expect(await demoOf(home)).toMatchObject({ state: "unaccepted" });
		expect((await home.tool("demo.say")).isAccepted).toBe(false);
	});

	it("[T1-45] a reload accepts nothing: changed code is unaccepted, and so is code that is as it was before the last acceptance", async () => {
		await using home = await openHome();
		await home.write("tools/demo/tools.ts", toolFile());
		await home.tools.begin();
		const accept = async () => {
			const { toolHash } = await demoOf(home);
			if (toolHash !== undefined) await home.tools.service.accept({ integration: demo, toolHash });
			return toolHash;
		};
		const reload = async (text: string) => {
			await home.write("tools/demo/tools.ts", text);
			await home.tools.service.reload({});
			return (await demoOf(home)).state;
		};
		const first = await accept();
		const tool = await home.tool("demo.say");
		expect(await reload(CHANGED)).toBe("unaccepted");
		expect(home.tools.hosts.isCurrent(tool)).toBe(false);
		expect(await home.tools.hosts.examine(tool, { text: "a" })).toEqual({ kind: "changed" });
		expect(await home.tools.hosts.call(tool, hostedCall(), never)).toMatchObject({ kind: "failed", code: "TOOL_CHANGED" });
		const { files, accepted } = await home.tools.service.sources({ integration: demo });
		expect([files[0]?.text, accepted?.toolHash, accepted?.files[0]?.text]).toEqual([CHANGED, first, toolFile()]);
		await accept();
		expect(await reload(toolFile())).toBe("unaccepted");
	});

	it("a review gets what each version declares: the one that is shown and the one that was accepted before", async () => {
		await using home = await withDemo(toolFile());
		await home.reopen({ acceptsAll: false });
		await home.tools.service.policy({ toolId: ToolId.parse("demo.word.say"), decision: "ask" });
		await home.write("tools/demo/tools.ts", toolFile({ risk: "destructive" }));
		await home.tools.service.reload({});
		const { tools, accepted } = await home.tools.service.sources({ integration: demo });
		expect(tools).toEqual((await demoOf(home)).tools);
		expect([tools, accepted?.tools]).toMatchObject([
			[{ method: "say", risk: "destructive", rule: "ask" }],
			[{ method: "say", risk: "write", rule: "ask" }],
		]);
		if (accepted === undefined) throw new Error("nothing is accepted");
		// An accepted version says so: nothing is left to review.
		const known = await home.tools.service.sources({ integration: demo, toolHash: accepted.toolHash });
		expect(known.accepted?.toolHash).toBe(known.toolHash);
	});

	it("runs the bytes that were accepted, whatever is written to the file before the bridge has read it", async () => {
		await using home = await withDemo(toolFile());
		expect(await said(home)).toEqual({ said: "hello" });
		const tool = await home.tool("demo.say");
		// The file changes, and its process has to be started again before a reload.
		await writeFile(join(home.path, "tools", "demo", "tools.ts"), CHANGED);
		const outcome = await home.tools.hosts.call(tool, hostedCall(), never);
		expect(outcome).toSatisfy(({ kind, output }) => kind === "failed" || output.said === "hello");
	});

	it("the last good version stays active when the files no longer load, over a restart too", async () => {
		await using home = await withDemo(toolFile());
		const { toolHash } = await demoOf(home);
		await home.write("tools/demo/tools.ts", "export const a = ;\n");
		await home.tools.service.reload({});
		const failed = { state: "failed", toolHash, problems: [{ code: "SYNTAX" }], tools: [{ method: "say" }] };
		expect(await demoOf(home)).toMatchObject(failed);
		expect(await said(home)).toEqual({ said: "hello" });
		await home.reopen();
		expect(await demoOf(home)).toMatchObject(failed);
		expect(await said(home)).toEqual({ said: "hello" });
	});

	it("a call of a version that was replaced is not made, even if both are accepted", async () => {
		await using home = await withDemo(toolFile());
		const tool = await home.tool("demo.say");
		await home.write("tools/demo/tools.ts", CHANGED);
		await home.tools.service.reload({});
		expect(await said(home)).toEqual({ said: "changed" });
		expect(await home.tools.hosts.examine(tool, { text: "a" })).toEqual({ kind: "changed" });
		expect(await home.tools.hosts.call(tool, hostedCall(), never)).toMatchObject({ kind: "failed", code: "TOOL_CHANGED" });
	});

	it("a kept version that was changed by hand is not run", async () => {
		await using home = await withDemo(toolFile());
		const { toolHash = "" } = await demoOf(home);
		const kept = join(home.path, "bridge", "tools", toolHash, "version.json");
		const content = JSON.parse(await readFile(kept, "utf8"));
		await writeFile(kept, JSON.stringify({ ...content, files: [{ path: "tools.ts", text: CHANGED }] }));
		await home.write("tools/demo/tools.ts", "export const a = ;\n");
		await home.reopen();
		expect(await demoOf(home)).toMatchObject({ state: "failed", tools: [] });
		expect((await home.tools.hosts.catalogue()).tools.size).toBe(0);
	});

	it("a start with what was loaded before starts no process, and keeps only versions that are needed", async () => {
		await using home = await withDemo(toolFile());
		await home.write("tools/demo/tools.ts", CHANGED);
		await home.tools.service.reload({});
		await home.reopen();
		expect(await home.hosts()).toEqual([]);
		expect((await readdir(join(home.path, "bridge", "tools"))).length).toBe(1);
		expect(await said(home)).toEqual({ said: "changed" });
	});

	it("code that declares other tools each time it is loaded is not called", async () => {
		const file = toolFile({ more: "timeoutMs: Math.floor(performance.timeOrigin) % 500_000 + 1" });
		await using home = await withDemo(file, { acceptsAll: true });
		await home.reopen();
		expect(await home.tools.hosts.call(await home.tool("demo.say"), hostedCall(), never)).toMatchObject({
			kind: "failed",
			code: "HOST_LOST",
			message: "It declared different tools than when it was first loaded.",
		});
	});

	it("an integration whose folder is gone is gone", async () => {
		await using home = await withDemo(toolFile());
		const tool = await home.tool("demo.say");
		await rm(join(home.path, "tools", "demo"), { recursive: true });
		expect(await home.tools.service.reload({})).toEqual({ integrations: [] });
		expect(home.tools.hosts.isCurrent(tool)).toBe(false);
	});
});

describe("files that change", { timeout: 40_000 }, () => {
	it("[T1-44] are loaded when they change, in new folders too", async () => {
		await using home = await openHome();
		await home.tools.begin();
		await home.write("tools/demo/tools.ts", toolFile());
		const names = async () => [...(await home.tools.hosts.catalogue()).tools.keys()];
		await expect.poll(names, { timeout: 20_000 }).toEqual(["demo.say"]);
		await home.write("tools/demo/more/tools.ts", toolFile({ id: "demo.word.tell", method: "tell" }));
		await expect.poll(names, { timeout: 20_000 }).toEqual(["demo.tell", "demo.say"]);
	});

	it("a call that began ends with the code that it began with", async () => {
		const handler = `async ({ text }, { dataFolder }) => {
			const { existsSync, writeFileSync } = await import("node:fs");
			writeFileSync(dataFolder + "/began", "");
			while (!existsSync(dataFolder + "/go")) await new Promise((resolve) => setTimeout(resolve, 10));
			return { said: "old" };
		}`;
		await using home = await withDemo(toolFile({ handler }));
		const data = join(home.path, "tool-data", "demo");
		const outcome = home.tools.hosts.call(await home.tool("demo.say"), hostedCall(), never);
		await expect.poll(() => readdir(data), { timeout: 20_000 }).toContain("began");
		await home.write("tools/demo/tools.ts", CHANGED);
		await home.tools.service.reload({});
		expect(await said(home)).toEqual({ said: "changed" });
		await mkdir(join(data, "go"));
		expect(await outcome).toEqual({ kind: "succeeded", output: { said: "old" } });
	});
});

describe("the methods of tools", { timeout: 40_000 }, () => {
	it("[T1-40] [T1-42] [T1-43] writes a first integration that works, and refuses to write over one", async () => {
		await using home = await openHome();
		await home.tools.begin();
		const notes = { integration: demo };
		expect(await home.tools.service.new(notes)).toMatchObject({
			state: "active",
			problems: [],
			tools: [{ risk: "write" }, { risk: "read" }],
		});
		const add = await home.tool("demo.addNote");
		expect(await home.tools.hosts.examine(add, { text: "milk" })).toMatchObject({ kind: "valid", words: 'Add the note "milk"' });
		expect(await home.tools.hosts.call(add, hostedCall({ text: "milk" }), never)).toMatchObject({ kind: "succeeded" });
		expect(await home.tools.hosts.call(await home.tool("demo.listNotes"), hostedCall({}), never)).toEqual({
			kind: "succeeded",
			output: { notes: ["milk"] },
		});
		await expect(home.tools.service.new(notes)).rejects.toMatchObject({
			code: "INVALID_PARAMS",
			detail: "An integration named demo already exists.",
		});
	});

	it("writes no integration that has the name of built-in tools", async () => {
		await using home = await openHome();
		await home.tools.begin();
		for (const name of ["files", "time", "xworkmate"]) {
			const refused = home.tools.service.new({ integration: IntegrationId.parse(name) });
			await expect(refused).rejects.toMatchObject({ code: "INVALID_PARAMS", detail: `The name ${name} is reserved for built-in tools.` });
		}
		expect(await readdir(join(home.path, "tools"))).toEqual([]);
		expect(await home.tools.service.list({})).toEqual({ integrations: [] });
	});

	it("[T1-03] [T1-06] [T1-46] [T1-68] [T1-82] adds an example as it is, accepted, and knows no others", async () => {
		await using examples = await openHome();
		await examples.write("demo/client.ts", 'export const shout = (text: string): string => text + "!";\n');
		await examples.write(
			"demo/tools.ts",
			toolFile({ head: 'import { shout } from "./client.ts";', handler: "async ({ text }) => ({ said: shout(text) })" }),
		);
		await examples.write("demo/README.md", "# Demo\n");
		await using home = await openHome({ examplesFolder: examples.path });
		await home.tools.begin();
		expect(await home.tools.service.add({ example: "demo" })).toMatchObject({ integration: "demo", state: "active" });
		expect(await said(home)).toEqual({ said: "hello!" });
		for (const example of ["none", "../demo", "demo/..", "", "https://127.0.0.1/demo", "npm:demo", "git@localhost:demo"]) {
			const refusal = { code: "TOOL_NOT_FOUND", fix: expect.stringMatching(/^Choose one of these: .*\bdemo\b/) };
			await expect(home.tools.service.add({ example })).rejects.toMatchObject(refusal);
		}
	});

	it("keeps the user's rules over a restart, and gives them at once", async () => {
		await using home = await withDemo(toolFile());
		const toolId = ToolId.parse("demo.word.say");
		const { version } = home.tools.rules;
		expect(await home.tools.service.policy({ toolId, decision: "deny" })).toMatchObject({ toolId, rule: "deny" });
		expect(home.tools.rules.ruleOf(toolId)).toBe("deny");
		expect(home.tools.rules.version).not.toBe(version);
		await home.reopen();
		expect(home.tools.rules.ruleOf(toolId)).toBe("deny");
		expect(await home.tools.service.policy({ toolId, decision: "inherit" })).not.toHaveProperty("rule");
		expect(home.tools.rules.version).toBe(version);
		const none = ToolId.parse("demo.word.none");
		await expect(home.tools.service.policy({ toolId: none, decision: "allow" })).rejects.toMatchObject({ code: "TOOL_NOT_FOUND" });
	});
});

describe("processes", { timeout: 40_000 }, () => {
	it("are at most as many as allowed: the one that was idle longest gives its place, and none waits without end", async () => {
		await using home = await openHome({ acceptsAll: true, maxHosts: 1, waitMs: 300 });
		const handler = "async ({ text }) => (text === 'hang' ? new Promise(() => setInterval(() => {}, 1000)) : { said: text })";
		for (const name of ["one", "two"]) await home.write(`tools/${name}/tools.ts`, toolFile({ id: `${name}.word.say`, handler }));
		await home.tools.begin();
		for (const name of ["one", "two", "one"]) {
			expect(await home.tools.hosts.call(await home.tool(`${name}.say`), hostedCall(), never)).toMatchObject({ kind: "succeeded" });
			expect((await home.hosts()).length).toBe(1);
		}
		const cancel = new AbortController();
		const hanging = home.tools.hosts.call(await home.tool("one.say"), hostedCall({ text: "hang" }), cancel.signal);
		const refused = { kind: "failed", code: "HOST_LOST", message: "All processes for tools are busy." };
		expect(await home.tools.hosts.call(await home.tool("two.say"), hostedCall(), never)).toEqual(refused);
		cancel.abort();
		expect(await hanging).toMatchObject({ kind: "unknown" });
	});

	it("end when they are idle, and start again when they are needed", async () => {
		await using home = await withDemo(toolFile(), { idleMs: 50 });
		await expect.poll(() => home.hosts(), { timeout: 20_000 }).toEqual([]);
		expect(await said(home)).toEqual({ said: "hello" });
	});
});
