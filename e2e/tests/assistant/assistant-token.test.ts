import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, type ModelRequest, startFakeModel } from "../../support/model/fake-model.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const TOKEN = `sk-ant-oat01-${"x".repeat(95)}`;
const Asked = z.looseObject({
	system: z.unknown(),
	messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
	tools: z.array(
		z.object({ name: z.string(), description: z.string(), input_schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
	),
});

/** The results of tools in a message. */
const Results = z
	.union([z.string(), z.array(z.looseObject({ type: z.string(), content: z.unknown().optional() }))])
	.transform((content) =>
		typeof content === "string" ? [] : content.flatMap((part) => (part.type === "tool_result" ? [part.content] : [])),
	);

/** Sends a message and waits for its end. */
async function ask(bridge: BridgeProcess, prompt: string, method = "session.start"): Promise<TaskSnapshot> {
	const params = turn({ prompt, providerId: "assistant", threadId: "thread-one" });
	const { runId } = TaskSnapshot.parse(await bridge.client().rpc(method, params));
	return waitUntil(`the end of ${runId}`, 30_000, async () => {
		const snapshot = await bridge.client().snapshot({ runId });
		return isOver(snapshot.status) ? snapshot : undefined;
	});
}

/** The requests for an answer. */
async function asked(model: FakeModel): Promise<readonly ModelRequest[]> {
	return (await model.requests()).filter(({ path }) => path?.endsWith("/messages") === true);
}

it("[T1-47] a Claude plan is used by its setup-token, as bearer with its beta header, and no other client is imitated", async () => {
	await using model = await startFakeModel();
	await using home = await temporaryHome();
	await using bridge = await startBridge({ home, env: { XWORKMATE_ANTHROPIC_URL: model.url } });
	const stored = await runCommand(home, ["auth", "anthropic", "setup-token"], { stdin: `${TOKEN}\n` });
	expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining("anthropic:manual") });
	expect(await ask(bridge, 'Hello\nFAKE:ANSWER [{"text":"Hello."}]')).toMatchObject({ status: "completed", output: { text: "Hello." } });
	const requests = await asked(model);
	expect(requests).toHaveLength(1);
	for (const { headers = {}, body } of requests) {
		expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, "anthropic-beta": "oauth-2025-04-20" });
		expect(headers["x-api-key"]).toBeUndefined();
		expect(headers["user-agent"]).toMatch(/^Anthropic\/JS /);
		expect(headers["x-app"]).toBeUndefined();
		expect(JSON.stringify([headers, body])).not.toMatch(/claude[- ]?(?:code|cli)/i);
	}
	expect(bridge.output + stored.stdout + stored.stderr).not.toContain(TOKEN);
});

it("[T1-08] the assistant has four tools, none of which takes a shell command, and one that it invents does nothing", async () => {
	await using model = await startFakeModel();
	await using bridge = await startBridge({ env: { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url } });
	const program =
		'return [typeof process, typeof require, typeof fetch, await import("node:child_process").then(() => "in", () => "out")];';
	const steps = [
		'TOOL bash {"command":"id"}',
		`TOOL execute ${JSON.stringify({ program })}`,
		`TOOL execute ${JSON.stringify({ program: "return [typeof (globalThis as any).process, typeof (globalThis as any).require, typeof (globalThis as any).fetch];" })}`,
		'ANSWER [{"text":"Nothing was run."}]',
	];
	expect(await ask(bridge, `Look around\nFAKE:${steps.join(" ;; ")}`)).toMatchObject({
		status: "completed",
		grounding: { state: "no_action" },
	});
	const bodies = (await asked(model)).map(({ body }) => Asked.parse(body));
	expect(bodies).toHaveLength(4);
	for (const { tools } of bodies) {
		const inputs = tools.map(({ name, input_schema: { properties } }) => [name, Object.keys(properties)]);
		expect(inputs).toEqual([
			["find_tools", ["query"]],
			["describe_tools", ["toolIds"]],
			["execute", ["program"]],
			["answer", ["segments"]],
		]);
	}
	const results = (bodies.at(-1)?.messages ?? []).flatMap(({ content }) => Results.parse(content));
	expect(results).toEqual([
		expect.stringContaining('There is no tool "bash".'),
		expect.stringContaining("Cannot find name 'node:child_process'"),
		expect.stringMatching(/^Returned:\n\[\s*"undefined",\s*"undefined",\s*"undefined"\s*\]\n/),
	]);
});

it("[T1-52] the bridge alone holds the conversation: the model reads the thread's earlier turns, also after a restart", async () => {
	await using model = await startFakeModel();
	await using bridge = await startBridge({ env: { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url } });
	const first = await ask(bridge, 'My cat is called Miso.\nFAKE:ANSWER [{"text":"A good name."}]');
	expect(first).toMatchObject({ status: "completed" });
	await bridge.restart("SIGKILL");
	const second = await ask(bridge, 'What is she called?\nFAKE:ANSWER [{"text":"Miso."}]', "session.message");
	expect(second).toMatchObject({ status: "completed", output: { text: "Miso." } });
	const { messages } = Asked.parse((await asked(model)).at(-1)?.body);
	expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
	expect(JSON.stringify(messages)).toMatch(/called Miso.*A good name.*What is she called/);
});
