import { describe, expect, it } from "vitest";
import { UiScene } from "../support/ui-scene.ts";

const secret = `sk-ant-api03-${"k".repeat(90)}`;

describe("the accounts of the bridge", () => {
	it.each<[string, string, object]>([
		["accounts", "xworkmate.auth.list", {}],
		["setAccount", "xworkmate.auth.set", { provider: "anthropic", credential: { type: "api_key", key: secret } }],
		["orderAccounts", "xworkmate.auth.order", { provider: "anthropic", profileIds: ["anthropic:manual"] }],
		["removeAccount", "xworkmate.auth.remove", { profileId: "openai:key" }],
		["testAccount", "xworkmate.auth.test", { profileId: "openai:key" }],
	])("%s is asked of it as %s, and its refusal reaches the page by its code and without the secret", async (name, method, params) => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const { bridge } = ui.scene;
		bridge.fault = (seen) => (seen.method === method ? { kind: "error", code: "CREDENTIAL_INVALID" } : undefined);
		const answer = await ui.call(name, params);
		expect(answer).toMatchObject({ status: 400, error: { code: "CREDENTIAL_INVALID" } });
		expect(JSON.stringify(answer)).not.toContain(secret);
		expect(bridge.calls.find((call) => call.method === method)?.params).toMatchObject(params);
	});
});
