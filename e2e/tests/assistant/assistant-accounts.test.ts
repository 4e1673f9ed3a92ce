import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { receiptsOf } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const keys = ["first", "second", "third"].map((name) => ({ profileId: `anthropic:${name}`, key: `sk-ant-api03-${name}-`.padEnd(60, "x") }));
const [first, second] = keys.map(({ profileId }) => profileId);
const Profiles = z.object({ profiles: z.array(z.looseObject({ profileId: z.string(), state: z.string() })) });

let model: FakeModel;
let home: TemporaryHome;
let bridge: BridgeProcess;
beforeEach(async () => {
	model = await startFakeModel();
	home = await temporaryHome();
	bridge = await startBridge({ home, env: { XWORKMATE_ANTHROPIC_URL: model.url, XWORKMATE_ANTHROPIC_MODEL: "claude-fake" } });
	for (const { profileId, key } of keys) {
		await bridge.client().rpc("xworkmate.auth.set", { provider: "anthropic", profileId, credential: { type: "api_key", key } });
	}
	await bridge.client().rpc("xworkmate.auth.order", { provider: "anthropic", profileIds: keys.map(({ profileId }) => profileId) });
});
afterEach(async () => {
	await bridge[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

async function ask(words: string): Promise<TaskSnapshot> {
	const prompt = `Say it.\nFAKE:ANSWER ${JSON.stringify([{ text: words }])}`;
	const { runId } = TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt, providerId: "assistant" })));
	return waitUntil(`the end of ${runId}`, 30_000, async () => {
		const snapshot = await bridge.client().snapshot({ runId });
		return isOver(snapshot.status) ? snapshot : undefined;
	});
}

async function stateOf(profileId: string | undefined): Promise<string | undefined> {
	const { profiles } = Profiles.parse(await bridge.client().rpc("xworkmate.auth.list"));
	return profiles.find((profile) => profile.profileId === profileId)?.state;
}

/** The keys of the requests for an answer, by the name of their account. */
async function usedAccounts(): Promise<readonly string[]> {
	const requests = await model.requests();
	return requests.flatMap(({ path, headers }) => {
		if (path?.endsWith("/messages") !== true) return [];
		const sent = JSON.stringify(headers);
		return keys.flatMap(({ profileId, key }) => (sent.includes(key) ? [profileId] : []));
	});
}

it("[T1-79][T1-80][T1-81] goes on with the next account when one is limited, says so in a receipt, and uses the first again afterwards", async () => {
	await model.tell({ secret: keys[0]?.key, status: 429, headers: { "retry-after": "2" } });
	const limited = await ask("Hello.");
	expect(limited).toMatchObject({ status: "completed", output: { text: "Hello." } });
	expect(await usedAccounts()).toEqual([first, second]);
	const receipts = await receiptsOf(bridge.client(), limited.runId);
	const rotation = receipts.find(({ type }) => type === "auth.profile.rotated");
	expect(rotation?.detail).toMatchObject({ from: first, to: second, reason: expect.stringContaining("rate limited") });
	expect(JSON.stringify(receipts)).not.toContain("sk-ant-");
	expect(await stateOf(first)).toBe("cooling");
	await model.tell({ secret: keys[0]?.key });
	await waitUntil("the first account to be ready", 10_000, async () => ((await stateOf(first)) === "ready" ? true : undefined));
	expect(await ask("Hello again.")).toMatchObject({ status: "completed" });
	expect(await usedAccounts()).toEqual([first, second, first]);
});

it("[T1-77] ends with the soonest time when all accounts are limited, and keeps what was asked", async () => {
	for (const { key } of keys) await model.tell({ secret: key, status: 429, headers: { "retry-after": "120" } });
	const snapshot = await ask("Hello.");
	expect(snapshot).toMatchObject({ status: "failed", code: "PROVIDER_LIMITED" });
	expect(snapshot.message).toMatch(/\d{2}:\d{2}/);
	expect(JSON.stringify(snapshot)).not.toContain("sk-ant-");
	expect(bridge.output).not.toContain("sk-ant-");
});

it("the bridge reports how the assistant's last run failed, until an account is stored, and then that it has answered", async () => {
	const Known = z.object({ failedRun: z.looseObject({ problem: z.looseObject({}) }).optional(), answeredAt: z.string().optional() });
	const Providers = z.object({ providers: z.array(z.looseObject({ providerId: z.string() })) });
	const known = async () => {
		const { providers } = Providers.parse(await bridge.client().rpc("acp.capabilities", {}));
		return Known.parse(providers.find(({ providerId }) => providerId === "assistant"));
	};
	expect(await known()).toEqual({});
	for (const { key } of keys) await model.tell({ secret: key, status: 429, headers: { "retry-after": "2" } });
	const { code, message } = await ask("Hello.");
	await expect.poll(known).toMatchObject({ failedRun: { problem: { code, message } } });
	const key = "sk-ant-api03-another-".padEnd(60, "x");
	await bridge
		.client()
		.rpc("xworkmate.auth.set", { provider: "anthropic", profileId: "anthropic:another", credential: { type: "api_key", key } });
	await expect.poll(known, { timeout: 5_000 }).toEqual({});
	for (const { key } of keys) await model.tell({ secret: key });
	await waitUntil("the first account to be ready", 10_000, async () => ((await stateOf(first)) === "ready" ? true : undefined));
	expect(await ask("Hello again.")).toMatchObject({ status: "completed" });
	await expect.poll(known).toEqual({ answeredAt: expect.any(String) });
});
