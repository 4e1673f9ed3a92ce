import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunAccounts } from "../../src/ports/models/accounts.ts";
import { ModelFailure, type ModelFailureKind } from "../../src/ports/models/model-client.ts";
import { AccountScene, apiKey, setupToken, storedKeys } from "./account-scene.ts";

const MINUTE = 60_000;
const START = "2026-01-01T00";
const failure = (kind: ModelFailureKind, retryAfterMs?: number) => new ModelFailure(kind, "it failed", retryAfterMs);
const failed = (run: RunAccounts, kind: ModelFailureKind, retryAfterMs?: number) => run.failed(failure(kind, retryAfterMs), "m");

describe("[T1-50] [T1-90] the account of a run", () => {
	it("[T1-77] is the first in order, then the others, then the environment's, and a pinned one before all", async () => {
		using scene = new AccountScene({ ANTHROPIC_API_KEY: apiKey });
		expect(await scene.first()).toBe("anthropic:env");
		const { profiles } = storedKeys("a", "b", "c");
		scene.write({ version: 1, profiles, order: { anthropic: ["anthropic:b", "anthropic:gone", "anthropic:b"] } });
		const { profiles: listed } = await scene.service.list({});
		expect(listed.map(({ profileId }) => profileId)).toEqual(["anthropic:b", "anthropic:a", "anthropic:c", "anthropic:env"]);
		expect(await scene.first()).toBe("anthropic:b");
		expect(await scene.first("m", "anthropic", "anthropic:c")).toBe("anthropic:c");
		expect(await scene.first("m", "anthropic", "anthropic:env")).toBe("anthropic:env");
		expect(await scene.first("m", "anthropic", "anthropic:x")).toMatch(/^PROVIDER_AUTH_REQUIRED: .*anthropic:x/);
		expect(await scene.accounts.open("anthropic", "m", "anthropic:x")).toMatchObject({ isRequest: true });
		expect(await scene.first("m", "anthropic", "openai:key")).toMatch(/^PROVIDER_AUTH_REQUIRED/);
	});

	it("[T1-77] of the environment is the plan's token before a key, and a server that needs none when only its address is set", async () => {
		using both = new AccountScene({ ANTHROPIC_OAUTH_TOKEN: `${setupToken}\n`, ANTHROPIC_API_KEY: apiKey });
		expect((await both.open()).current.credential).toEqual({ type: "token", secret: setupToken });
		using key = new AccountScene({ ANTHROPIC_OAUTH_TOKEN: " ", ANTHROPIC_API_KEY: apiKey });
		expect((await key.open()).current.credential).toEqual({ type: "api_key", secret: apiKey });
		using server = new AccountScene({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
		expect((await server.open("m", "openai")).current.credential).toEqual({ type: "none", secret: "" });
		expect(await server.accounts.providers()).toEqual(["openai"]);
		using keyed = new AccountScene({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_API_KEY: "a-key-123" });
		expect((await keyed.open("m", "openai")).current.credential).toEqual({ type: "api_key", secret: "a-key-123" });
		using broken = new AccountScene({ ANTHROPIC_API_KEY: `${apiKey}\n${apiKey}` });
		expect(await broken.first()).toMatch(/needs the variable ANTHROPIC_API_KEY, which is not set to a credential/);
	});

	it("[T1-77] says how to log in when there is none", async () => {
		using scene = new AccountScene();
		expect(await scene.first()).toMatch(
			/^PROVIDER_AUTH_REQUIRED: There is no account for Anthropic\. .*claude setup-token.*auth anthropic setup-token.*api-key/,
		);
		expect(await scene.first("m", "openai")).toMatch(/^PROVIDER_AUTH_REQUIRED: .*auth openai api-key.*OPENAI_BASE_URL/);
		expect(await scene.accounts.providers()).toEqual([]);
	});

	it("[T1-51] is never taken from what the Claude CLI keeps for itself", async () => {
		using home = new AccountScene();
		mkdirSync(join(home.home, ".claude"));
		const kept = { claudeAiOauth: { accessToken: setupToken, refreshToken: setupToken, expiresAt: 4102444800000 } };
		writeFileSync(join(home.home, ".claude", ".credentials.json"), JSON.stringify(kept));
		using scene = new AccountScene({ HOME: home.home, CLAUDE_CODE_OAUTH_TOKEN: setupToken });
		expect(await scene.first()).toMatch(/^PROVIDER_AUTH_REQUIRED/);
		expect(scene.secrets).toEqual(new Set());
	});

	it("skips one that has expired or whose variable is not set, and says so when there is no other", async () => {
		using scene = new AccountScene({ SET: apiKey });
		const expires = scene.clock.now();
		const old = {
			"anthropic:old": { type: "token", token: setupToken, expires },
			"anthropic:oauth": { type: "oauth", access: "access-12", refresh: "refresh-1", expires },
			"anthropic:unset": { type: "api_key", key: "env:UNSET" },
		};
		scene.write({ version: 1, profiles: { ...old, "anthropic:set": { type: "api_key", key: "env:SET" } } });
		expect((await scene.open()).current).toMatchObject({ profileId: "anthropic:set", credential: { type: "api_key", secret: apiKey } });
		expect((await scene.service.list({})).profiles.map(({ state }) => state)).toEqual(["expired", "expired", "missing", "ready"]);
		scene.write({ version: 1, profiles: old });
		const said = await scene.first();
		expect(said).toMatch(
			/^PROVIDER_AUTH_REQUIRED: No account for Anthropic can be used: anthropic:old expired \(2026-01-01T00:00:00.000Z\)/,
		);
		expect(said).toMatch(/anthropic:oauth expired .*XWorkmate does not renew it, anthropic:unset needs the variable UNSET/);
		expect(await scene.accounts.providers()).toEqual([]);
	});

	it("of the kind oauth is used as a token while it is valid", async () => {
		using scene = new AccountScene();
		const oauth = { type: "oauth", access: "access-12", refresh: "refresh-1", expires: scene.clock.now() + 1 };
		scene.write({ version: 1, profiles: { "anthropic:oauth": oauth } });
		expect((await scene.open()).current.credential).toEqual({ type: "token", secret: "access-12" });
		scene.clock.advance(1);
		expect(await scene.first()).toMatch(/^PROVIDER_AUTH_REQUIRED/);
	});
});

describe("[T1-79] [T1-80] when an account fails", () => {
	it("the next takes over, the run says which and why, and the first is used again when its time is over", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b", "c"));
		const run = await scene.open();
		expect(await failed(run, "rate_limited", 5 * MINUTE)).toMatchObject({
			kind: "rotated",
			from: "anthropic:a",
			to: { profileId: "anthropic:b", credential: { secret: "sk-ant-key-of-b" } },
			reason: "anthropic:a is rate limited",
			cause: "rate_limited",
		});
		expect(run.current.profileId).toBe("anthropic:b");
		const [first] = (await scene.service.list({})).profiles;
		expect(first).toMatchObject({ state: "cooling", reason: "rate_limited", until: `${START}:05:00.000Z`, model: "m" });
		expect(await scene.first()).toBe("anthropic:b");
		expect(await scene.first("another model")).toBe("anthropic:a");
		scene.clock.advance(5 * MINUTE);
		expect(await scene.first()).toBe("anthropic:a");
	});

	it("[T1-78] that a run holds, the run goes on with it until it fails, whatever becomes of the file", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open();
		scene.write(storedKeys("c"));
		expect(run.current).toMatchObject({ profileId: "anthropic:a", credential: { secret: "sk-ant-key-of-a" } });
		expect(await failed(run, "auth")).toMatchObject({ kind: "rotated", to: { profileId: "anthropic:c" } });
	});

	it("of all, the end names the soonest time, and what each of them lacks", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b", "c"));
		const run = await scene.open();
		await failed(run, "rate_limited", 30 * MINUTE);
		await failed(run, "billing");
		const end = await failed(run, "auth");
		expect(end).toMatchObject({ kind: "none", why: { code: "PROVIDER_LIMITED" } });
		const said = await scene.first();
		expect(said).toBe(
			`PROVIDER_LIMITED: All accounts for Anthropic are unavailable until ${START}:10:00.000Z: anthropic:a is rate limited until ${START}:30:00.000Z, anthropic:b is out of credit until ${START}:10:00.000Z, anthropic:c was rejected. Send the message again after that, or add another account.`,
		);
		expect(await scene.accounts.providers()).toEqual(["anthropic"]);
	});

	it("because its maker rejects it, and no other is there, the end says how to log in", async () => {
		using scene = new AccountScene({ ANTHROPIC_API_KEY: apiKey });
		expect(await failed(await scene.open(), "auth")).toMatchObject({
			kind: "none",
			why: { code: "PROVIDER_AUTH_REQUIRED", message: expect.stringMatching(/anthropic:env was rejected.*setup-token/) },
		});
	});

	it("and was pinned, no other is charged for it", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open("m", "anthropic", "anthropic:a");
		expect(await failed(run, "billing")).toMatchObject({ kind: "none", why: { code: "PROVIDER_LIMITED" } });
		expect(await scene.first("m", "anthropic", "anthropic:a")).toBe(
			`PROVIDER_LIMITED: The account that the message names is unavailable: anthropic:a is out of credit until ${START}:10:00.000Z. Send the message again after that, or without naming an account.`,
		);
		expect(await scene.first()).toBe("anthropic:b");
	});

	it("and was pinned and rejected, nothing is said of the others", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open("m", "anthropic", "anthropic:a");
		expect(await failed(run, "auth")).toMatchObject({
			why: {
				code: "PROVIDER_AUTH_REQUIRED",
				message:
					"The account that the message names can't be used: anthropic:a was rejected. Replace its credential, or send the message without naming an account.",
			},
		});
	});

	it("without being at fault, it is asked twice again and does not cool", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		for (const kind of ["overloaded", "network", "broken"] as const) {
			const run = await scene.open();
			expect(await failed(run, kind, 1e15)).toEqual({ kind: "again", waitMs: 30_000 });
			expect(await failed(run, kind)).toEqual({ kind: "again", waitMs: 4_000 });
			expect(await failed(run, kind)).toEqual({ kind: "failed" });
			await run.succeeded("m");
			expect(await failed(run, kind)).toEqual({ kind: "again", waitMs: 1_000 });
		}
		expect(await failed(await scene.open(), "refused")).toEqual({ kind: "failed" });
		expect(await scene.first()).toBe("anthropic:a");
	});

	it("with reset times that are over at once, a run does not go in circles", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open();
		expect(await failed(run, "rate_limited", 0)).toMatchObject({ kind: "rotated", to: { profileId: "anthropic:b" } });
		scene.clock.advance(2_000);
		expect(await failed(run, "rate_limited", 0)).toMatchObject({ kind: "none", why: { code: "PROVIDER_LIMITED" } });
	});

	it("that works, when it was last used is known, also after a restart", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		const usedAt = async () => (await scene.service.list({})).profiles[0]?.lastUsedAt;
		const run = await scene.open("");
		expect(await usedAt()).toBeUndefined();
		await run.succeeded("m");
		expect(await usedAt()).toBe(`${START}:00:00.000Z`);
		scene.clock.advance(2_500);
		await run.succeeded("m");
		expect(await usedAt()).toBe(`${START}:00:02.500Z`);
		scene.restart();
		expect(await usedAt()).toBe(`${START}:00:02.500Z`);
	});

	it("what is known survives a restart, and a success ends it", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		const run = await scene.open();
		await failed(run, "auth");
		scene.restart();
		expect(await scene.first()).toBe("anthropic:b");
		const old = await scene.open("m", "anthropic", "anthropic:b");
		await failed(old, "rate_limited", 60 * MINUTE);
		expect(await scene.first()).toMatch(/^PROVIDER_LIMITED/);
		// A request that was still on its way.
		await old.succeeded("m");
		scene.restart();
		expect(await scene.first()).toBe("anthropic:b");
	});

	it("of a credential that was replaced in the meantime, the new one is not held responsible", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a"));
		const run = await scene.open();
		const { profileId } = run.current;
		await scene.service.set({ provider: "anthropic", profileId, credential: { type: "api_key", key: apiKey }, replace: true });
		expect(await failed(run, "auth")).toMatchObject({ kind: "none" });
		expect((await scene.open()).current.credential.secret).toBe(apiKey);
	});

	it("out of credit, one run in an hour tries whether there is some again", async () => {
		using scene = new AccountScene();
		scene.write(storedKeys("a", "b"));
		for (let time = 0; time < 4; time++) {
			await failed(await scene.open("m", "anthropic", "anthropic:a"), "billing");
			scene.clock.advance(60 * MINUTE);
		}
		// Somebody lists its models.
		expect(await scene.first("")).toBe("anthropic:a");
		const given = await Promise.all([scene.first(), scene.first(), scene.first()]);
		expect(given).toEqual(["anthropic:a", "anthropic:b", "anthropic:b"]);
	});

	it("at any times, a run always has an account or an end, and every account is used again within an hour", async () => {
		const step = fc.record({
			kind: fc.constantFrom<ModelFailureKind[]>("rate_limited", "auth", "billing", "overloaded", "network", "broken"),
			retryAfterMs: fc.option(fc.double(), { nil: undefined }),
			afterMs: fc.integer({ min: 0, max: 90 * MINUTE }),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
				using scene = new AccountScene();
				scene.write(storedKeys("a", "b", "c"));
				for (const { kind, retryAfterMs, afterMs } of steps) {
					const run = await scene.accounts.open("anthropic", "m");
					if (!("code" in run)) {
						let rotations = 0;
						for (let next = await failed(run, kind, retryAfterMs); next.kind === "rotated"; next = await failed(run, kind, retryAfterMs))
							rotations++;
						expect(rotations).toBeLessThan(3);
					}
					scene.clock.advance(afterMs);
				}
				scene.clock.advance(60 * MINUTE);
				for (const name of ["a", "b", "c"]) expect(await scene.first("m", "anthropic", `anthropic:${name}`)).toBe(`anthropic:${name}`);
			}),
			{ numRuns: 20 },
		);
	});
});
