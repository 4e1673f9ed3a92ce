import { formatBytes } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { HostsWithWriteTool } from "../../../src/tools/integrations/write-tool.ts";
import { openHome } from "../../tools/integrations/home-under-test.ts";
import { AssistantScene } from "./assistant-scene.ts";
import { answers, receiptsIn, runs } from "./scripted-model.ts";

// A sandbox, a compiler and a tool host are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SOURCE = `import { defineTool } from "@xworkmate/tool";
import { z } from "zod";
export const shout = defineTool({
	id: "notes.text.shout",
	risk: "read",
	input: z.object({ text: z.string() }),
	output: z.object({ text: z.string() }),
	handler: async ({ text }) => ({ text: text.toUpperCase() }),
});
`;

it("[T1-70] the assistant writes a tool, and the next program of the same run uses it", async () => {
	await using home = await openHome();
	await home.tools.begin();
	await using scene = await AssistantScene.open({ hosts: () => new HostsWithWriteTool(home.tools.hosts, home.tools.write) });
	const input = JSON.stringify({ integration: "notes", path: "tools.ts", source: SOURCE });
	scene.model.will(
		runs(`const r = await tools.xworkmate.writeTool(${input}); return r.ok ? r.value.state : r.error.message`),
		runs("const r = await tools.notes.shout({ text: 'hello' }); return r.ok ? r.value.text : r.error.code"),
		(request) => answers({ receiptId: receiptsIn(request)[0] ?? "" }, { text: "and HELLO" }),
	);
	const runId = await scene.run();
	await scene.decide(runId, "allow_once", "call-1");
	await scene.decide(runId, "allow_once", "call-2");
	const ended = await scene.core.settled(runId);
	expect([ended.status, ended.message, ended.output?.text]).toEqual([
		"completed",
		undefined,
		`Write tool code: tools/notes/tools.ts, ${formatBytes(Buffer.byteLength(SOURCE))} and HELLO`,
	]);
	const { integrations } = await home.tools.service.list({});
	expect(integrations).toMatchObject([{ integration: "notes", state: "unaccepted" }]);
});
