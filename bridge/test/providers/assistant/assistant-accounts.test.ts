import { describe, expect, it, vi } from "vitest";
import { ModelFailure } from "../../../src/ports/models/model-client.ts";
import { AssistantScene } from "./assistant-scene.ts";
import { answers } from "./scripted-model.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("accounts", () => {
	it("[T1-81] a limited account gives way to the next, and the change is a receipt without a secret", async () => {
		await using scene = await AssistantScene.open();
		scene.accounts.names = ["one", "two"];
		scene.model.will(() => Promise.reject(new ModelFailure("rate_limited", "slow down", 1e12)), answers({ text: "Hello." }));
		const ended = await scene.turn();
		expect(ended.status).toBe("completed");
		const [rotated] = await scene.receipts(ended.runId);
		expect(rotated).toMatchObject({
			type: "auth.profile.rotated",
			detail: { from: "anthropic:one", to: "anthropic:two", reason: "rate_limited", cause: "rate_limited" },
		});
		expect(scene.model.credentials.map(({ secret }) => secret)).toEqual(["secret-of-one", "secret-of-two"]);
		expect(JSON.stringify(await scene.events(ended.runId))).not.toContain("secret-of");
	});

	it("without an account left, the run ends with the accounts' own code and words", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(() => Promise.reject(new ModelFailure("billing", "no credit")));
		expect(await scene.turn()).toMatchObject({ status: "failed", code: "PROVIDER_LIMITED", message: "Every account is limited." });
	});

	it("no account at all: the run says how to get one, and no model is asked", async () => {
		await using scene = await AssistantScene.open();
		scene.accounts.refuses = { code: "PROVIDER_AUTH_REQUIRED", message: "Log in first." };
		expect(await scene.turn()).toMatchObject({ status: "failed", code: "PROVIDER_AUTH_REQUIRED", message: "Log in first." });
		expect(scene.model.requests).toEqual([]);
	});

	it.each([
		["overloaded", "The model's server failed, or is overloaded: it broke"],
		["network", "The model could not be reached: it broke"],
		["broken", "The model's response could not be used: it broke"],
	] as const)("%s: asked again twice, then the run fails", async (kind, message) => {
		await using scene = await AssistantScene.open();
		const fail = () => Promise.reject(new ModelFailure(kind, "it broke"));
		scene.model.will(fail, fail, fail);
		expect(await scene.turn()).toMatchObject({ status: "failed", code: "PROVIDER_ERROR", message });
		expect(scene.model.requests).toHaveLength(3);
	});

	it("a reply that breaks off is asked for again, and its half is no part of the answer", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(
			(_request, onText) => {
				onText("I have sche");
				throw new ModelFailure("broken", "cut");
			},
			answers({ text: "Hello." }),
		);
		const ended = await scene.turn();
		expect(ended.output.text).toBe("Hello.");
		const ids = (await scene.updates(ended.runId)).flatMap((update) => (update.kind === "thought_delta" ? [update.messageId] : []));
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("a request that the server refuses is not made again", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(() => Promise.reject(new ModelFailure("refused", "no such model")));
		const turn = await scene.turn();
		expect(turn).toMatchObject({
			status: "failed",
			code: "PROVIDER_ERROR",
			message: "The model's server refused the request: no such model",
		});
		expect(await scene.isRequest(turn.runId)).toBe(true);
	});

	it("a server that refuses to list its models has refused no request of a turn", async () => {
		await using scene = await AssistantScene.open({ defaultModel: null, offered: [] });
		scene.model.list = () => Promise.reject(new ModelFailure("refused", "not found"));
		const turn = await scene.turn();
		expect(turn).toMatchObject({ status: "failed", code: "PROVIDER_ERROR" });
		expect(await scene.isRequest(turn.runId)).toBe(false);
	});
});
