import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AccountsFile } from "../../src/auth/accounts-file.ts";
import { AccountScene, apiKey, setupToken, storedKeys } from "./account-scene.ts";

const keys = storedKeys("a");
const set = (scene: AccountScene) => scene.service.set({ provider: "anthropic", credential: { type: "token", token: setupToken } });

describe("[T1-73] the file of the accounts", () => {
	it("is created with mode 0600, has the contract's shape, and leaves no other file", async () => {
		using scene = new AccountScene();
		await set(scene);
		expect(JSON.parse(scene.stored ?? "")).toEqual({
			version: 1,
			profiles: { "anthropic:manual": { type: "token", token: setupToken } },
			order: { anthropic: ["anthropic:manual"] },
		});
		expect(statSync(scene.file).mode & 0o777).toBe(0o600);
		expect(readdirSync(scene.home).filter((name) => name.startsWith("auth"))).toEqual(["auth-profiles.json"]);
	});

	it("takes all three kinds of credentials, with or without the maker in them, and keeps them as they are", async () => {
		using scene = new AccountScene();
		const profiles = {
			"anthropic:oauth": { type: "oauth", provider: "anthropic", access: "access-1", refresh: "refresh-1", expires: 4102444800000 },
			"anthropic:plan": { type: "token", token: "env:PLAN_TOKEN", expires: 4102444800000 },
			"openai:work": { type: "api_key", provider: "openai", key: "key-of-work" },
		};
		scene.write({ version: 1, profiles, order: {} });
		await set(scene);
		expect(JSON.parse(scene.stored ?? "").profiles).toEqual({ ...profiles, "anthropic:manual": { type: "token", token: setupToken } });
		expect([...scene.secrets]).toEqual(expect.arrayContaining(["access-1", "refresh-1", "key-of-work", setupToken]));
		expect([...scene.secrets]).not.toContain("env:PLAN_TOKEN");
	});

	it.for([
		["text that is not JSON", `{"profiles": ${apiKey}`, "ACCOUNTS_DAMAGED", /is not JSON/],
		["nothing", "", "ACCOUNTS_DAMAGED", /is not JSON/],
		["a list", [], "ACCOUNTS_DAMAGED", /does not contain a JSON object/],
		["another version", { ...keys, version: 2 }, "ACCOUNTS_VERSION_UNKNOWN", /version/],
		["no version", { profiles: {} }, "ACCOUNTS_DAMAGED", /lacks a valid value at version/],
		["an unknown field", { ...keys, notes: "mine" }, "ACCOUNTS_DAMAGED", /unknown field in the file: notes/],
		[
			"an unknown field of a credential",
			{ version: 1, profiles: { "anthropic:a": { type: "api_key", key: "k-1234567", label: "x" } } },
			"ACCOUNTS_DAMAGED",
			/unknown field in profiles\.anthropic:a: label/,
		],
		["a secret where a field belongs", { ...keys, [apiKey]: 1 }, "ACCOUNTS_DAMAGED", /unknown field in the file\.$/],
		[
			"an account without a maker",
			{ version: 1, profiles: { work: { type: "api_key", key: "k-1234567" } } },
			"ACCOUNTS_DAMAGED",
			/profiles/,
		],
		[
			"another maker in it",
			{ version: 1, profiles: { "openai:a": { type: "api_key", provider: "anthropic", key: "k-1234567" } } },
			"ACCOUNTS_DAMAGED",
			/openai:a\.provider/,
		],
		[
			"the environment's name",
			{ version: 1, profiles: { "openai:env": { type: "api_key", key: "k-1234567" } } },
			"ACCOUNTS_DAMAGED",
			/openai:env/,
		],
		[
			"a key with a line break",
			{ version: 1, profiles: { "openai:a": { type: "api_key", key: "k-12\n34567" } } },
			"ACCOUNTS_DAMAGED",
			/openai:a\.key/,
		],
		[
			"a time beyond all calendars",
			{ version: 1, profiles: { "anthropic:a": { type: "token", token: "t-1234567", expires: 9e15 } } },
			"ACCOUNTS_DAMAGED",
			/expires/,
		],
		["more than a mebibyte", " ".repeat(1024 * 1024 + 1), "ACCOUNTS_DAMAGED", /larger/],
	] as const)(
		"with %s is said to be unusable, in words without secrets, and stays as it is",
		async ([, content, code, words], { expect }) => {
			using scene = new AccountScene({ ANTHROPIC_API_KEY: "key-of-the-environment" });
			scene.write(content);
			const before = scene.stored;
			const { problem, profiles } = await scene.service.list({});
			expect(problem).toMatchObject({ code, message: expect.stringMatching(words), fix: expect.stringMatching(/\.$/) });
			expect(profiles.map(({ profileId }) => profileId)).toEqual(["anthropic:env"]);
			for (const change of [
				set(scene),
				scene.service.remove({ profileId: "anthropic:a" as never }),
				scene.service.order({ provider: "anthropic", profileIds: [] }),
			])
				await expect(change).rejects.toMatchObject({ code: "ACCOUNTS_DAMAGED", detail: problem?.message });
			expect(scene.stored).toBe(before);
			expect(JSON.stringify(problem)).not.toContain(apiKey);
			// No other account is charged instead, unless the user names it.
			expect(await scene.first()).toMatch(/^PROVIDER_AUTH_REQUIRED: .*auth-profiles\.json/);
			expect(await scene.first("m", "anthropic", "anthropic:env")).toBe("anthropic:env");
		},
	);

	it("that other users may read, that is a link or a folder, or that belongs to another user, is not opened", async () => {
		using scene = new AccountScene();
		scene.write(keys, 0o640);
		expect((await scene.service.list({})).problem).toMatchObject({ code: "ACCOUNTS_EXPOSED", fix: expect.stringContaining("chmod 600") });
		await expect(set(scene)).rejects.toMatchObject({ code: "ACCOUNTS_DAMAGED" });
		scene.write(keys);
		const foreign = new AccountsFile(scene.file, (process.getuid?.() ?? 0) + 1);
		expect(foreign.read()).toMatchObject({
			kind: "unusable",
			problem: { code: "ACCOUNTS_FOREIGN", fix: expect.stringContaining("sudo chown") },
		});
		const link = join(scene.home, "link.json");
		symlinkSync(scene.file, link);
		expect(new AccountsFile(link).read()).toMatchObject({ problem: { code: "ACCOUNTS_NOT_A_FILE" } });
		const folder = join(scene.home, "folder.json");
		mkdirSync(folder);
		expect(new AccountsFile(folder).read()).toMatchObject({ problem: { code: "ACCOUNTS_NOT_A_FILE" } });
		writeFileSync(join(scene.home, "plain"), "");
		expect(new AccountsFile(join(scene.home, "plain", "x.json")).read()).toMatchObject({ problem: { code: "ACCOUNTS_UNREADABLE" } });
	});

	it("leaves no copy behind when a bridge was killed while it was replaced, and touches no other file", () => {
		using scene = new AccountScene();
		const names = [
			"auth-profiles.json.4711.0123456789ab.new",
			"auth-profiles.json.bak",
			"auth-profiles.json.bak.new",
			"other.1.0123456789ab.new",
		];
		for (const name of names) writeFileSync(join(scene.home, name), "x");
		scene.restart();
		expect(readdirSync(scene.home).filter((name) => names.includes(name))).toEqual(names.slice(1));
	});

	it("that a person edits while the bridge runs is seen, and its secrets are known before they are used", async () => {
		using scene = new AccountScene();
		expect(await scene.first()).toMatch(/^PROVIDER_AUTH_REQUIRED/);
		scene.write(storedKeys("b", "a"));
		expect(await scene.first()).toBe("anthropic:b");
		expect([...scene.secrets]).toEqual(["sk-ant-key-of-b", "sk-ant-key-of-a"]);
		scene.write(storedKeys("a", "b"));
		expect(await scene.first()).toBe("anthropic:a");
	});
});
