import { describe, expect, it } from "vitest";
import { AnthropicClient } from "../../../../src/providers/assistant/models/anthropic/anthropic-client.ts";
import { createModelClients } from "../../../../src/providers/assistant/models/create-model-clients.ts";
import { OpenAiClient } from "../../../../src/providers/assistant/models/openai/openai-client.ts";
import { asking, failure, key, never, secret, useFakeModel } from "./model-rig.ts";

const fake = useFakeModel();

describe("the clients of the settings", () => {
	it.each(["chat", "responses"] as const)("reach their servers with their models, by %s", async (openaiWire) => {
		const settings = {
			anthropicUrl: fake().url,
			anthropicModel: "claude",
			openaiUrl: `${fake().url}/v1`,
			openaiModel: "local",
			openaiWire,
		};
		for (const [provider, client] of createModelClients(settings)) {
			expect(client.provider).toBe(provider);
			expect((await client.models(key, never()))[0]).toBe(provider === "anthropic" ? "claude" : "local");
			expect((await client.ask(asking("FAKE:SAY hello"), key, () => {}, never())).parts).toEqual([{ kind: "text", text: "hello" }]);
		}
		expect((await fake().requests()).at(-1)?.path).toBe(openaiWire === "chat" ? "/v1/chat/completions" : "/v1/responses");
	});
});

describe("a token of Anthropic", () => {
	it("goes out as a bearer with its beta header", async () => {
		const token = `sk-ant-oat01-${"a".repeat(80)}`;
		await new AnthropicClient({ url: fake().url }).ask(asking("FAKE:SAY hello"), { type: "token", secret: token }, () => {}, never());
		const { headers } = (await fake().requests()).at(-1) ?? {};
		expect(headers).toMatchObject({ authorization: `Bearer ${token}`, "anthropic-beta": "oauth-2025-04-20" });
	});

	it("is refused once, not twice", async () => {
		await fake().tell({ secret, status: 401 });
		const before = (await fake().requests()).length;
		const refused = new AnthropicClient({ url: fake().url }).ask(asking("hello"), { type: "token", secret }, () => {}, never());
		expect(await failure(refused)).toMatchObject({ kind: "auth" });
		expect(await fake().requests()).toHaveLength(before + 1);
	});
});

describe.each(["chat", "responses"] as const)("any server that speaks OpenAI's protocol: %s", (wire) => {
	const client = () => new OpenAiClient({ url: `${fake().url}/v1`, wire });

	it("gets no credential if it needs none", async () => {
		await client().ask(asking("FAKE:SAY hello"), { type: "none", secret: "" }, () => {}, never());
		const sent = (await fake().requests()).at(-1);
		expect(sent?.headers).not.toHaveProperty("authorization");
		expect(sent?.headers).not.toHaveProperty("openai-organization");
	});

	it("may answer with one document", async () => {
		await fake().tell({ secret, whole: true });
		const pieces: string[] = [];
		const reply = await client().ask(asking('FAKE:TOOL execute {"program":"1"}'), key, (text) => pieces.push(text), never());
		expect(pieces).toEqual(["I will do that now."]);
		expect(reply).toMatchObject({
			stop: "calls",
			usage: { inputTokens: 123 },
			parts: [{ kind: "text" }, { tool: "execute", input: { program: "1" } }],
		});
	});

	it("need not list its models if one was chosen", async () => {
		await fake().tell({ secret, status: 404 });
		const chosen = new OpenAiClient({ url: `${fake().url}/v1`, wire, model: "local" });
		expect(await chosen.models(key, never())).toEqual(["local"]);
		expect(await failure(client().models(key, never()))).toMatchObject({ kind: "refused" });
	});
});
