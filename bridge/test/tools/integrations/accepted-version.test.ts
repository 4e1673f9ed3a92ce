import { rm } from "node:fs/promises";
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
