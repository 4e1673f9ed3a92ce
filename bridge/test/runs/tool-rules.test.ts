import type { ToolId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { hostsWithPlanTool } from "../../src/plans/chat/plan-tool.ts";
import type { Provider } from "../../src/ports/agents/provider.ts";
import { createAssistantProvider } from "../../src/providers/assistant/assistant-provider.ts";
import { HostsWithWriteTool } from "../../src/tools/integrations/write-tool.ts";
import { CountingHosts } from "../programs/counting-hosts.ts";
import { Core } from "./core-fixture.ts";

/** A core whose agent can call `world.thing.look`, or no tool at all. */
async function open(hosts?: CountingHosts) {
	let turns = 0;
	const play = async () => {
		turns += 1;
		return { kind: "ended" } as const;
	};
	const core = await Core.open(play, {}, hosts && { toolCatalogue: () => hosts.catalogue() });
	const submit = (turn: string, ...toolIds: string[]) => {
		const toolPolicy = Object.fromEntries(toolIds.map((toolId) => [toolId, "deny"]));
		return core.submit(turn, { metadata: { xworkmateAssistant: { toolPolicy } } });
	};
	return { core, submit, turns: () => turns, [Symbol.asyncDispose]: () => core[Symbol.asyncDispose]() };
}

const world = () => new CountingHosts({ look: { risk: "read" } });

it("a rule for a tool that does not exist is refused before there is a run, whichever agent can call tools", async () => {
	await using scene = await open(world());
	await expect(scene.submit("t1", "world.thing.look", "x.y.z", "x.y.w")).rejects.toMatchObject({
		code: "TOOL_NOT_FOUND",
		message: "The message has rules for tools that don't exist: x.y.z, x.y.w.",
		fix: expect.stringContaining("tools list"),
	});
	expect((await scene.core.service.list({ limit: 10 })).items).toEqual([]);
	expect(scene.turns()).toBe(0);
});

it("a rule is refused for an agent that can't call XWorkmate's tools, and no rule is not", async () => {
	await using scene = await open();
	await expect(scene.submit("t1", "world.thing.look")).rejects.toMatchObject({
		code: "INVALID_PARAMS",
		message: "Played can't call XWorkmate's tools, so a rule for world.thing.look would have no effect.",
	});
	await scene.core.settled(await scene.submit("t2"));
	expect(scene.turns()).toBe(1);
});

it("a turn that is sent again has its run, although the tool of its rule is gone", async () => {
	const hosts = world();
	await using scene = await open(hosts);
	const runId = await scene.submit("t1", "world.thing.look");
	hosts.change({});
	expect(await scene.submit("t1", "world.thing.look")).toBe(runId);
});

it("the assistant's own tools exist", async () => {
	const hosts = new HostsWithWriteTool(world(), () => Promise.reject(new Error("It wrote.")));
	const deps = { hosts, hostsOfTurn: hostsWithPlanTool({} as never) } as never;
	const { toolCatalogue }: Provider = createAssistantProvider(deps);
	const { tools } = (await toolCatalogue?.()) ?? {};
	const expected = ["world.thing.look", "xworkmate.tools.write", "xworkmate.plan.create"] as ToolId[];
	expect([...(tools?.values() ?? [])].map(({ toolId }) => toolId)).toEqual(expected);
});
