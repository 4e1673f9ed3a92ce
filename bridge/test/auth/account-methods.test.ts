import { AuthProfileId, type NewCredential } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { AccountStates } from "../../src/auth/account-states.ts";
import { knownAccounts } from "../../src/auth/known-accounts.ts";
import { modelProbe } from "../../src/auth/model-probe.ts";
import { accountTest } from "../../src/auth/test-account.ts";
import type { AccountState } from "../../src/ports/models/account-store.ts";
import { type ModelClient, ModelFailure, type ModelFailureKind } from "../../src/ports/models/model-client.ts";
import { AccountScene, apiKey, setupToken, storedKeys } from "./account-scene.ts";

const id = (text: string) => AuthProfileId.parse(text);
const token = (letter: string): NewCredential => ({ type: "token", token: `sk-ant-oat01-${letter.repeat(80)}` });
const idsOf = async (scene: AccountScene) => (await scene.service.list({})).profiles.map(({ profileId }) => profileId);
const set = (scene: AccountScene, credential: NewCredential, profileId?: string) =>
	scene.service.set({ provider: "anthropic", credential, ...(profileId !== undefined && { profileId: id(profileId) }) });

describe("[T1-63] accounts as they are listed", () => {
	it("are without their secrets, in the order in which they are tried", async () => {
		using scene = new AccountScene({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1", PLAN: setupToken });
		const oauth = { type: "oauth", access: "access-12", refresh: "refresh-1", expires: scene.clock.now() + 1_000 };
		scene.write({
			version: 1,
			profiles: {
				"anthropic:oauth": oauth,
				"anthropic:plan": { type: "token", token: "env:PLAN" },
				"openai:work": { type: "api_key", key: "key-of-work" },
			},
		});
		await scene.open();
		const { profiles } = await scene.service.list({});
		expect(profiles).toEqual([
			{
				...{ profileId: "anthropic:oauth", provider: "anthropic", type: "oauth", state: "ready" },
				...{ expiresAt: "2026-01-01T00:00:01.000Z", lastUsedAt: "2026-01-01T00:00:00.000Z" },
			},
			{ profileId: "anthropic:plan", provider: "anthropic", type: "token", variable: "PLAN", state: "ready" },
			{ profileId: "openai:work", provider: "openai", type: "api_key", state: "ready" },
			{ profileId: "openai:env", provider: "openai", type: "none", variable: "OPENAI_BASE_URL", state: "ready" },
		]);
		for (const secret of scene.secrets) if (secret !== "") expect(JSON.stringify(profiles)).not.toContain(secret);
	});

	it("say that the environment's is none of the file's, whose name and place cannot be changed", async () => {
		using scene = new AccountScene({ ANTHROPIC_API_KEY: apiKey });
		scene.write(storedKeys("a", "b"));
		await expect(scene.service.remove({ profileId: id("anthropic:env") })).rejects.toMatchObject({
			detail: expect.stringContaining("environment"),
			fix: expect.stringContaining("ANTHROPIC_API_KEY"),
		});
		await expect(set(scene, token("x"), "anthropic:env")).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		await expect(
			scene.service.order({ provider: "anthropic", profileIds: [id("anthropic:env"), id("anthropic:a")] }),
		).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		// As a page sends what it was shown.
		await scene.service.order({ provider: "anthropic", profileIds: [id("anthropic:b"), id("anthropic:a"), id("anthropic:env")] });
		expect(await idsOf(scene)).toEqual(["anthropic:b", "anthropic:a", "anthropic:env"]);
	});
});

describe("[T1-49] [T1-74] [T1-76] a credential that is stored", () => {
	it("becomes anthropic:manual if it is a setup token, and the first of its provider", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		expect(await set(scene, { type: "token", token: ` ${setupToken}\n` })).toEqual({
			profileId: "anthropic:manual",
			provider: "anthropic",
			type: "token",
			state: "ready",
		});
		expect(await idsOf(scene)).toEqual(["anthropic:manual", "anthropic:a", "anthropic:b"]);
		expect((await scene.open()).current.credential).toEqual({ type: "token", secret: setupToken });
		expect(scene.secrets).toContain(setupToken);
		expect(JSON.parse(scene.stored ?? "").order).toEqual({ anthropic: ["anthropic:manual", "anthropic:a", "anthropic:b"] });
	});

	it("does not take the place of one that works, only of one that has expired or is rejected", async () => {
		using scene = new AccountScene();
		expect((await set(scene, token("a"))).profileId).toBe("anthropic:manual");
		expect((await set(scene, token("b"))).profileId).toBe("anthropic:manual-2");
		const run = await scene.open("m", "anthropic", "anthropic:manual");
		await run.failed(new ModelFailure("auth", "no"), "m");
		expect(await set(scene, token("c"))).toMatchObject({ profileId: "anthropic:manual", state: "ready" });
		expect(await idsOf(scene)).toEqual(["anthropic:manual", "anthropic:manual-2"]);
		expect((await set(scene, { ...token("d"), expires: scene.clock.now() + 1 } as NewCredential, "anthropic:short")).profileId).toBe(
			"anthropic:short",
		);
		expect(JSON.parse(scene.stored ?? "").profiles).toMatchObject({ "anthropic:manual": token("c"), "anthropic:manual-2": token("b") });
	});

	it("does not replace one under its name that may still work, unless that is asked for", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		const replace = (credential: NewCredential, more: { replace?: true } = {}) =>
			scene.service.set({ provider: "anthropic", profileId: id("anthropic:a"), credential, ...more });
		const before = scene.stored;
		await expect(replace(token("x"))).rejects.toMatchObject({ code: "ACCOUNT_EXISTS", detail: "There is already an account anthropic:a." });
		expect(scene.stored).toBe(before);
		await replace(token("y"), { replace: true });
		expect(JSON.parse(scene.stored ?? "").profiles).toEqual({ "anthropic:a": token("y") });
		const run = await scene.open("m", "anthropic", "anthropic:a");
		await run.failed(new ModelFailure("auth", "no"), "m");
		await expect(replace(token("z"))).resolves.toMatchObject({ profileId: "anthropic:a", state: "ready" });
	});

	it("is stored once: the account that has it is named", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		await expect(set(scene, { type: "api_key", key: "env:K" }, "anthropic:k")).resolves.toMatchObject({ state: "missing", variable: "K" });
		for (const [credential, name] of [
			[{ type: "token", token: setupToken }, "anthropic:manual"],
			[{ type: "api_key", key: "env:K" }, "anthropic:k"],
		] as const) {
			if (name === "anthropic:manual") await set(scene, credential);
			const before = scene.stored;
			const again = set(scene, credential, "anthropic:other");
			await expect(again).rejects.toMatchObject({ code: "CREDENTIAL_KNOWN", detail: `This credential is already stored, as ${name}.` });
			await again.catch((error: unknown) => expect(JSON.stringify(error)).not.toContain(setupToken));
			expect(scene.stored).toBe(before);
		}
	});

	it("has a time to come, if it says when it expires", async () => {
		using scene = new AccountScene();
		for (const expires of [scene.clock.now(), Math.round(scene.clock.now() / 1_000), 9e15])
			await expect(set(scene, { ...token("a"), expires } as NewCredential)).rejects.toMatchObject({ code: "CREDENTIAL_INVALID" });
		expect(scene.stored).toBeUndefined();
	});

	it("is removed with what was known of it, and an unknown one is said to be", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open();
		await run.failed(new ModelFailure("billing", "no"), "m");
		await scene.service.remove({ profileId: id("anthropic:a") });
		expect(await idsOf(scene)).toEqual(["anthropic:b"]);
		scene.restart();
		await set(scene, { type: "api_key", key: apiKey }, "anthropic:a");
		expect(await scene.first()).toBe("anthropic:a");
		await expect(scene.service.remove({ profileId: id("anthropic:x") })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
			detail: "There is no account named anthropic:x.",
		});
		await expect(scene.service.order({ provider: "anthropic", profileIds: [id("anthropic:x")] })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
		});
		await expect(scene.service.order({ provider: "anthropic", profileIds: [id("anthropic:a"), id("anthropic:a")] })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
		});
		await expect(scene.service.test({ profileId: id("anthropic:x") })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
	});
});

it("says that an account may work when it is stored or passes a test, and at no other time", async () => {
	using scene = new AccountScene();
	scene.write(storedKeys("a"));
	await set(scene, token("b"), "anthropic:b");
	expect(scene.usable).toBe(1);
	await scene.service.test({ profileId: id("anthropic:a") });
	expect(scene.usable).toBe(2);
	scene.probe = () => Promise.reject(new ModelFailure("overloaded", "no"));
	await scene.service.test({ profileId: id("anthropic:a") });
	await expect(set(scene, token("b"))).rejects.toMatchObject({ code: "CREDENTIAL_KNOWN" });
	await scene.service.remove({ profileId: id("anthropic:b") });
	expect(scene.usable).toBe(2);
});

describe("a test of an account", () => {
	const test = async (scene: AccountScene, name = "a") => scene.service.test({ profileId: id(`anthropic:${name}`) });

	it("makes one request with its credential, and says that it works", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		const asked: unknown[] = [];
		scene.probe = async (account) => void asked.push(account);
		expect(await test(scene)).toMatchObject({ ok: true, profile: { profileId: "anthropic:a", state: "ready" } });
		expect(asked).toEqual([
			{ profileId: "anthropic:a", provider: "anthropic", credential: { type: "api_key", secret: "sk-ant-key-of-a" } },
		]);
	});

	it.for<[ModelFailureKind, string, RegExp, string]>([
		["auth", "PROVIDER_AUTH_REQUIRED", /^Anthropic rejected this account/, "cooling"],
		["billing", "PROVIDER_LIMITED", /says that this account is out of credit/, "cooling"],
		["rate_limited", "PROVIDER_LIMITED", /is rate limiting this account/, "ready"],
		["overloaded", "PROVIDER_ERROR", /overloaded/, "ready"],
		["network", "PROVIDER_ERROR", /be reached/, "ready"],
		["broken", "PROVIDER_ERROR", /an invalid response/, "ready"],
		["refused", "PROVIDER_ERROR", /refused/, "ready"],
	])("that ends with %s is said as %s, without the secret that the server repeats", async ([kind, code, words, state], { expect }) => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		scene.probe = () => Promise.reject(new ModelFailure(kind, `bad key sk-ant-key-of-a\n${"x".repeat(1_000)}`));
		const { ok, problem, profile } = await test(scene);
		expect([ok, profile.state]).toEqual([false, state]);
		expect(problem).toMatchObject({ code, message: expect.stringMatching(words), fix: expect.stringMatching(/\.$/) });
		expect(problem?.message).not.toContain("key-of-a");
		expect(problem?.message.length).toBeLessThan(400);
	});

	it.for(["auth", "billing"] as const)("that works makes an account usable again that had failed: %s", async (kind, { expect }) => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		await (await scene.open()).failed(new ModelFailure(kind, "no"), "m");
		expect(await test(scene)).toMatchObject({ ok: true, profile: { state: "ready" } });
	});

	it("asks the configured model for a word, or else the first that the server lists", async () => {
		const asked: unknown[] = [];
		const client = (listed: readonly string[]): ModelClient => ({
			provider: "openai",
			models: async () => listed,
			ask: async ({ model, maxOutputTokens, tools }, { secret }) => {
				asked.push([model, maxOutputTokens, tools.length, secret]);
				return { parts: [], stop: "length", usage: {} };
			},
		});
		const account = { profileId: id("openai:a"), provider: "openai", credential: { type: "api_key", secret: "a-key-123" } } as const;
		const { signal } = new AbortController();
		await modelProbe({ openai: client(["m1", "m2"]) }, {})(account, signal);
		await modelProbe({ openai: client([]) }, { openai: "mine", anthropic: "other" })(account, signal);
		expect(asked).toEqual([
			["m1", 16, 0, "a-key-123"],
			["mine", 16, 0, "a-key-123"],
		]);
		await expect(modelProbe({ openai: client([]) }, {})(account, signal)).rejects.toMatchObject({ kind: "refused" });
		await expect(modelProbe({}, {})(account, signal)).rejects.toMatchObject({ code: "METHOD_NOT_FOUND" });
	});

	it("asks nobody when the account has expired or has no credential", async () => {
		using scene = new AccountScene();
		scene.write({
			version: 1,
			profiles: { "anthropic:a": { type: "token", token: setupToken, expires: 1 }, "anthropic:b": { type: "api_key", key: "env:B" } },
		});
		scene.probe = () => expect.fail("it was asked");
		expect(await test(scene)).toMatchObject({ ok: false, problem: { code: "CREDENTIAL_EXPIRED" } });
		expect(await test(scene, "b")).toMatchObject({
			ok: false,
			problem: { code: "CREDENTIAL_MISSING", fix: expect.stringContaining("Set B in") },
		});
	});

	it("ends in time, even if the probe does not listen", async () => {
		using scene = new AccountScene();
		const states = new AccountStates(
			{ states: async () => [], save: async () => undefined, forget: async () => undefined },
			scene.clock,
			() => undefined,
		);
		const [account] = knownAccounts({ version: 1, profiles: {}, order: {} }, { ANTHROPIC_API_KEY: apiKey });
		if (account === undefined) return expect.fail("there is no account");
		const test = accountTest(() => new Promise(() => undefined), states, scene.clock, 20);
		expect(await test(account)).toMatchObject({ problem: { code: "PROVIDER_SILENT" } });
	});
});

it("a store that fails once is asked again", async () => {
	let fails = true;
	const saved: AccountState[] = [];
	const store = {
		states: async () => (fails ? Promise.reject(new Error("busy")) : []),
		save: async (state: AccountState) => void saved.push(state),
		forget: async () => undefined,
	};
	using scene = new AccountScene();
	const unsaved: unknown[] = [];
	const states = new AccountStates(store, scene.clock, (error) => unsaved.push(error));
	await expect(states.load()).rejects.toThrow("busy");
	fails = false;
	await states.load();
	await states.use(id("anthropic:a"));
	expect(saved).toHaveLength(1);
	// On a full disk a run goes on, with what is known so far.
	store.save = () => Promise.reject(new Error("full"));
	await states.failed(id("anthropic:a"), "m", { reason: "auth" });
	expect(states.cooling(id("anthropic:a"), "m")).toMatchObject({ reason: "auth" });
	expect(unsaved).toHaveLength(1);
});
