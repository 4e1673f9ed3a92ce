import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planTool } from "../../../src/plans/chat/plan-tool.ts";
import { writeTool } from "../../../src/tools/integrations/write-tool.ts";
import { toolFile, withDemo } from "./home-under-test.ts";

it("a version of a tool is the one in use or gone, and accepted once the user has accepted it; the bridge's own always are", {
	timeout: 40_000,
}, async () => {
	await using home = await withDemo(toolFile());
	const first = await home.tool("demo.say");
	await home.reopen({ acceptsAll: false });
	await home.write("tools/demo/tools.ts", toolFile({ handler: "async () => ({ said: 'changed' })" }));
	await home.tools.service.reload({});
	const second = await home.tool("demo.say");
	const states = () => [first, second].map((tool) => home.tools.versionState(tool));
	expect(states()).toEqual(["gone", "unaccepted"]);
	await home.tools.service.accept({ integration: second.integration, toolHash: second.toolHash });
	expect(states()).toEqual(["gone", "accepted"]);
	await rm(join(home.path, "tools", "demo"), { recursive: true });
	await home.tools.service.reload({});
	expect(states()).toEqual(["gone", "gone"]);
	expect([planTool, writeTool].map((tool) => home.tools.versionState(tool))).toEqual(["accepted", "accepted"]);
});

it("no version is called gone before the tools have been read", { timeout: 40_000 }, async () => {
	await using home = await withDemo(toolFile());
	const tool = await home.tool("demo.say");
	const states: unknown[] = [];
	const look = () => states.push(home.tools.versionState(tool));
	await home.reopen(undefined, () => {
		look();
		home.tools.onChanged(look);
	});
	expect([...new Set(states)]).toEqual(["unread", "accepted"]);
	await rm(join(home.path, "tools", "demo"), { recursive: true });
	await home.reopen();
	expect(home.tools.versionState(tool)).toBe("gone");
});

/** Stores the home's only version as an older bridge did. */
async function asOlderBridge(home: string): Promise<{ readonly toolHash: string; readonly stored: string }> {
	const [toolHash = ""] = await readdir(join(home, "bridge", "tools"));
	const stored = join(home, "bridge", "tools", toolHash, "version.json");
	await writeFile(stored, (await readFile(stored, "utf8")).replace('"codeDecides":true,', ""));
	return { toolHash, stored };
}

it("a tool declares whether its code decides for each call; a version stored without this is completed and stays accepted", {
	timeout: 40_000,
}, async () => {
	await using home = await withDemo(toolFile({ more: "policy: () => 'allow'" }));
	const listed = async () => (await home.tools.service.list({})).integrations[0];
	expect(await listed()).toMatchObject({ state: "active", tools: [{ codeDecides: true }] });
	const { toolHash, stored } = await asOlderBridge(home.path);
	await home.reopen({ acceptsAll: false });
	expect(await listed()).toMatchObject({ state: "active", toolHash, tools: [{ codeDecides: true }] });
	expect(await readFile(stored, "utf8")).toContain('"codeDecides":true,');
	await home.write("tools/demo/tools.ts", toolFile());
	await home.tools.service.reload({});
	expect(await listed()).toMatchObject({ state: "unaccepted", tools: [{ codeDecides: false }] });
});

it("an unchanged integration whose version can't be completed now stays in use, without problems, and is completed later", {
	timeout: 40_000,
}, async () => {
	await using home = await withDemo(toolFile({ more: "policy: () => 'allow'" }));
	const { toolHash } = await asOlderBridge(home.path);
	// No process starts within a millisecond.
	await home.reopen({ acceptsAll: false, bounds: { startMs: 1 } });
	const { integrations } = await home.tools.service.list({});
	expect(integrations).toMatchObject([{ state: "active", toolHash, problems: [], tools: [{ toolId: "demo.word.say" }] }]);
	expect(integrations[0]?.tools[0]?.codeDecides).toBeUndefined();
	// Who asks for it to be loaded again is told why it was not, and its tools stay in use.
	const { integrations: asked } = await home.tools.service.reload({});
	expect(asked).toMatchObject([{ state: "failed", toolHash, problems: [{}], tools: [{ toolId: "demo.word.say" }] }]);
	await home.reopen({ acceptsAll: false });
	expect((await home.tools.service.list({})).integrations).toMatchObject([{ state: "active", toolHash, tools: [{ codeDecides: true }] }]);
});
