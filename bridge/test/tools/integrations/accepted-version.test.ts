import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toolFile, withDemo } from "./home-under-test.ts";

it("a tool counts as accepted in exactly the version in use: not in the one before, nor after its integration is removed", {
	timeout: 40_000,
}, async () => {
	await using home = await withDemo(toolFile());
	const first = await home.tool("demo.say");
	await home.write("tools/demo/tools.ts", toolFile({ handler: "async () => ({ said: 'changed' })" }));
	await home.tools.service.reload({});
	const second = await home.tool("demo.say");
	const accepted = () => [first, second].map((tool) => home.tools.isAccepted(tool));
	expect(accepted()).toEqual([false, true]);
	await rm(join(home.path, "tools", "demo"), { recursive: true });
	await home.tools.service.reload({});
	expect(accepted()).toEqual([false, false]);
});

it("a tool declares whether its code decides for each call; a version stored without this is completed and stays accepted", {
	timeout: 40_000,
}, async () => {
	await using home = await withDemo(toolFile({ more: "policy: () => 'allow'" }));
	const listed = async () => (await home.tools.service.list({})).integrations[0];
	expect(await listed()).toMatchObject({ state: "active", tools: [{ codeDecides: true }] });
	const [toolHash = ""] = await readdir(join(home.path, "bridge", "tools"));
	const stored = join(home.path, "bridge", "tools", toolHash, "version.json");
	// As an older bridge stored it.
	await writeFile(stored, (await readFile(stored, "utf8")).replace('"codeDecides":true,', ""));
	await home.reopen({ acceptsAll: false });
	expect(await listed()).toMatchObject({ state: "active", toolHash, tools: [{ codeDecides: true }] });
	expect(await readFile(stored, "utf8")).toContain('"codeDecides":true,');
	await home.write("tools/demo/tools.ts", toolFile());
	await home.tools.service.reload({});
	expect(await listed()).toMatchObject({ state: "unaccepted", tools: [{ codeDecides: false }] });
});
