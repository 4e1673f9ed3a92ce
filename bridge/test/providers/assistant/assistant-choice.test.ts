import { describe, expect, it, vi } from "vitest";
import { createAssistantProvider } from "../../../src/providers/assistant/assistant-provider.ts";
import { AssistantScene } from "./assistant-scene.ts";
import { MemoryAccounts, rejectedBy, says } from "./scripted-model.ts";

vi.setConfig({ testTimeout: 60_000 });

const routing = (model: string) => ({ routing: { executionTarget: "agent", model } });

describe("the model of a turn", () => {
	it("is the one that was named", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("Hello."));
		await scene.turn("Hi", "t1", routing("anthropic/vendor/other"));
		expect(scene.model.requests[0]?.model).toBe("vendor/other");
		expect(scene.accounts.opened).toEqual([["anthropic", "vendor/other", undefined]]);
	});

	it("is the one in the settings, else the first that the server offers", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("Hello."));
		await scene.turn();
		expect(scene.model.requests[0]?.model).toBe("the-model");
		await using other = await AssistantScene.open({ defaultModel: null, offered: [] });
		other.model.will(says("Hello."));
		await other.turn();
		expect(other.model.requests[0]?.model).toBe("listed-model");
	});

	it("is the first that is known already, so that no turn asks for a list that is there", async () => {
		await using scene = await AssistantScene.open({ defaultModel: null, offered: ["openai/x", "anthropic/known/1", "anthropic/2"] });
		scene.model.will(says("Hello."), says("Hello."));
		await scene.turn();
		expect(scene.model.requests[0]?.model).toBe("known/1");
		expect(scene.accounts.opened).toEqual([["anthropic", "known/1", undefined]]);
		// Another account may have other models.
		await scene.turn("Hi", "t2", { metadata: { xworkmateAssistant: { authProfile: "anthropic:work" } } });
		expect(scene.model.requests[1]?.model).toBe("listed-model");
	});

	it("is no longer looked up once the turn is stopped, which ends it as cancelled", async () => {
		await using scene = await AssistantScene.open({ defaultModel: null, offered: [] });
		const asked = Promise.withResolvers<void>();
		scene.model.list = (signal) => {
			asked.resolve();
			return rejectedBy(signal);
		};
		const runId = await scene.run("Hi");
		await asked.promise;
		await scene.core.service.cancel(runId);
		const { status, code } = await scene.core.settled(runId);
		expect({ status, code }).toEqual({ status: "cancelled", code: undefined });
		expect(scene.core.errors).toEqual([]);
	});

	it.each([
		["gpt", "PROVIDER_ERROR", "The assistant can't tell which model"],
		["mistral/large", "PROVIDER_ERROR", "The assistant can't tell which model"],
		["openai/gpt", "PROVIDER_AUTH_REQUIRED", "auth anthropic setup-token"],
	])("%s: the turn fails with %s, and no model is asked", async (model, code, words) => {
		await using scene = await AssistantScene.open();
		const turn = await scene.turn("Hi", "t1", routing(model));
		expect(turn).toMatchObject({ status: "failed", code, message: expect.stringContaining(words) });
		expect(scene.model.requests).toEqual([]);
		expect(await scene.isRequest(turn.runId)).toBe(true);
	});

	it("[T1-78] is asked with the account that the sender named, resolved once", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("Hello."));
		await scene.turn("Hi", "t1", { metadata: { xworkmateAssistant: { authProfile: "anthropic:work" } } });
		expect(scene.accounts.opened).toEqual([["anthropic", "the-model", "anthropic:work"]]);
	});

	it("is not of another maker than the named account", async () => {
		await using scene = await AssistantScene.open();
		const more = { ...routing("anthropic/one"), metadata: { xworkmateAssistant: { authProfile: "openai:work" } } };
		const turn = await scene.turn("Hi", "t1", more);
		expect(turn).toMatchObject({ status: "failed", message: "The account openai:work can't be used with the model anthropic/one." });
		expect(await scene.isRequest(turn.runId)).toBe(true);
	});

	it("cannot be had without any account, whichever is named: then the assistant does not work", async () => {
		await using scene = await AssistantScene.open();
		scene.accounts.names = [];
		const turn = await scene.turn("Hi", "t1", routing("openai/gpt"));
		expect(turn).toMatchObject({ status: "failed", code: "PROVIDER_AUTH_REQUIRED" });
		expect(await scene.isRequest(turn.runId)).toBe(false);
	});
});

describe("availability", () => {
	const provider = (accounts: MemoryAccounts, models: readonly string[]) =>
		createAssistantProvider({ accounts, offered: async () => models, clients: new Map(), defaultModels: {} } as never);

	it("without any account says what to do", async () => {
		const accounts = new MemoryAccounts();
		accounts.names = [];
		expect(await provider(accounts, ["anthropic/a"]).availability()).toMatchObject({
			available: false,
			unavailable: {
				code: "PROVIDER_AUTH_REQUIRED",
				fix: expect.stringMatching(/auth anthropic setup-token.*ANTHROPIC_API_KEY.*OPENAI_BASE_URL/),
			},
		});
	});

	it("with a file of accounts that cannot be read says so, and not that there is none", async () => {
		const accounts = new MemoryAccounts();
		accounts.fault = { code: "ACCOUNTS_DAMAGED", message: "It is not JSON.", fix: "Correct the file." };
		for (const names of [[], ["one"]]) {
			accounts.names = names;
			expect(await provider(accounts, []).availability()).toEqual({ available: false, unavailable: accounts.fault });
		}
	});

	it("offers the models of makers with an account", async () => {
		const offered = await provider(new MemoryAccounts(), ["anthropic/a", "openai/b"]).availability();
		expect(offered).toEqual({ available: true, models: ["anthropic/a"] });
		expect(await provider(new MemoryAccounts(), []).availability()).toEqual({ available: true });
	});
});
