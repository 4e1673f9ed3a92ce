import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EffectiveSetting } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { settingLine } from "../../src/cli/config/setting-lines.ts";
import { readSettingList, type SettingPlace } from "../../src/settings/read-setting-list.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** What the list says of the app's address, for an app that listens on `started`. */
async function appListen(started: string, file: Readonly<Record<string, string>> | string = {}) {
	using home = temporaryHome();
	writeFileSync(join(home.path, "config.json"), typeof file === "string" ? file : JSON.stringify(file));
	const { settings } = await readSettingList({ home: home.path, env: {}, started: { XWORKMATE_APP_LISTEN: started } });
	const { value, source, waits } = settings.find(({ key }) => key === "appListen") ?? {};
	return { value, source, waits };
}

it("an address that nothing sets does not wait for a restart while the app listens on the default", async () => {
	expect(await appListen("127.0.0.1:8788")).toEqual({ value: "127.0.0.1:8788", source: "default", waits: undefined });
});

it("an address that is spelled in another way is the same address", async () => {
	expect(await appListen("[::1]:8788", { appListen: "::1:8788" })).toMatchObject({ waits: undefined });
});

it("an address waits for a restart once config.json has another one, or has it no longer", async () => {
	expect(await appListen("127.0.0.1:8788", { appListen: "127.0.0.1:8790" })).toEqual({
		...{ value: "127.0.0.1:8788", source: "default" },
		waits: "app",
	});
	expect(await appListen("127.0.0.1:8790")).toEqual({ value: "127.0.0.1:8790", source: "file", waits: "app" });
});

it("nothing waits for a restart because config.json can't be read, and what is in effect came from the file or is the default", async () => {
	const whole = '{ "appListen": "127.0.0.1:8790" }';
	expect(await appListen("127.0.0.1:8790", whole.slice(0, 20))).toEqual({ value: "127.0.0.1:8790", source: "file", waits: undefined });
	expect(await appListen("127.0.0.1:8788", "")).toEqual({ value: "127.0.0.1:8788", source: "default", waits: undefined });
	expect(await appListen("127.0.0.1:8790", { appListen: "nowhere" })).toMatchObject({ source: "file", waits: undefined });
});

it("a wrong setting elsewhere in config.json hides no change of another one, which waits for its correction, since no app starts", async () => {
	expect(await appListen("127.0.0.1:8788", { appListen: "127.0.0.1:8790", logLevel: "loud" })).toEqual({
		...{ value: "127.0.0.1:8788", source: "default" },
		waits: "correction",
	});
	expect(await appListen("127.0.0.1:8790", { logLevel: "loud" })).toEqual({ value: "127.0.0.1:8790", source: "file", waits: "correction" });
	expect(await appListen("127.0.0.1:8788", { logLevel: "loud" })).toMatchObject({ source: "default", waits: undefined });
});

it("without the app, a setting that config.json may have is unknown while the file can't be read", async () => {
	using home = temporaryHome();
	writeFileSync(join(home.path, "config.json"), '{ "appListen": "127.0');
	const { settings } = await readSettingList({ home: home.path, env: { XWORKMATE_LOG_LEVEL: "debug" } });
	const line = (wanted: string) => settings.filter(({ key }) => key === wanted).map(settingLine);
	expect(line("appListen")).toEqual(["appListen is unknown, because config.json can't be used"]);
	expect(line("maxActiveRuns")).toEqual(["maxActiveRuns is unknown, because config.json can't be used"]);
	expect(line("logLevel")).toEqual(['logLevel = "debug"  (the environment variable XWORKMATE_LOG_LEVEL)']);
	expect(line("token")).toEqual(["token = not set  (default)"]);
});

it("names a variable of the environment that has no valid value, and shows none", async () => {
	using home = temporaryHome();
	const { settings, problem } = await readSettingList({ home: home.path, env: { XWORKMATE_MAX_ACTIVE_RUNS: "abc" } });
	expect(settings.find(({ key }) => key === "maxActiveRuns")).not.toHaveProperty("value");
	expect(problem?.message).toBe("XWORKMATE_MAX_ACTIVE_RUNS must be a whole number from 1 to 1000.");
	expect(problem?.fix).toMatch(/^Unset it, or give it a valid value: /);
});

it("a setting waits for a restart of the app's own bridge if that was started with another environment", async () => {
	using home = temporaryHome();
	const env = { XWORKMATE_MAX_ACTIVE_RUNS: "8", XWORKMATE_LOG_LEVEL: "debug", XWORKMATE_TOKEN: "t".repeat(32) };
	const reported = {
		settings: [
			{ key: "home", source: "environment" as const, value: "/elsewhere" },
			{ key: "bridgeListen", source: "environment" as const, value: "127.0.0.1:0" },
			{ key: "maxActiveRuns", source: "default" as const, value: 4 },
			{ key: "maxQueued", source: "environment" as const, value: 7 },
			{ key: "logLevel", source: "environment" as const, value: "debug" },
			{ key: "token", source: "file" as const },
			{ key: "heartbeatMs", source: "file" as const, value: 9000 },
		],
	};
	const waiting = async (ownsBridge: boolean) => {
		const { settings } = await readSettingList({ home: home.path, env, ownsBridge }, reported);
		return settings.flatMap(({ key, waits }) => (waits === "bridge" ? [key] : [])).sort();
	};
	expect(await waiting(true)).toEqual(["maxActiveRuns", "maxQueued", "token"]);
	const { settings } = await readSettingList({ home: home.path, env, ownsBridge: true }, reported);
	expect(settings.flatMap(({ key, waitsInVariable }) => (waitsInVariable ? [key] : [])).sort()).toEqual(["maxActiveRuns", "token"]);
	// The environment of the app doesn't reach a bridge that the user started.
	expect(await waiting(false)).toEqual([]);
});

it("the fix for a stored secret that can't be used fits a file that others can read, and what is no file", async () => {
	using home = temporaryHome();
	mkdirSync(join(home.path, "bridge", "openclaw-token"), { recursive: true });
	const { problem } = await readSettingList({ home: home.path, env: {} });
	expect(problem?.fix).toBe("Make it a regular file that only you can read (chmod 600), or delete it.");
});

describe("what is saved and not in effect yet is listed beside what is", () => {
	const problem = { message: '"x" is not an XWorkmate setting.', fix: "Remove it." };

	interface Scene {
		readonly file?: object;
		/** The Discord token that is stored. */
		readonly secret?: string;
		readonly reported: EffectiveSetting;
		readonly place?: Partial<SettingPlace>;
		readonly problem?: typeof problem;
	}

	async function listed({ file = {}, secret, reported, place, ...more }: Scene) {
		using home = temporaryHome();
		writeFileSync(join(home.path, "config.json"), JSON.stringify(file));
		mkdirSync(join(home.path, "bridge"), { recursive: true });
		if (secret !== undefined) writeFileSync(join(home.path, "bridge", "discord-token"), secret, { mode: 0o600 });
		const { settings } = await readSettingList({ home: home.path, env: {}, ownsBridge: true, ...place }, { settings: [reported], ...more });
		const { source, value, waits, next } = settings.find(({ key }) => key === reported.key) ?? {};
		return { source, value, waits, next };
	}

	const approvers: EffectiveSetting = { key: "discordApprovers", source: "file", value: ["1"], waiting: true };
	const token = { key: "discordToken", source: "file", waiting: true } as const;

	it("for a value that waits for the bridge's restart, and for one that was removed", async () => {
		expect(await listed({ file: { discordApprovers: ["1", "2"] }, reported: approvers })).toEqual({
			...{ source: "file", value: ["1"], waits: "bridge" },
			next: { source: "file", value: ["1", "2"] },
		});
		expect(await listed({ reported: approvers })).toMatchObject({ value: ["1"], next: { source: "default", value: [] } });
	});

	it("for a secret, without its value", async () => {
		expect(await listed({ reported: token })).toMatchObject({ source: "file", next: { source: "default" } });
		const stored = await listed({ secret: "s".repeat(60), reported: { ...token, source: "default" } });
		expect(stored).toEqual({ source: "default", value: undefined, waits: "bridge", next: { source: "file" } });
	});

	it("for a default that config.json sets as well, which waits for nothing", async () => {
		const reported = { key: "heartbeatMs", source: "default", value: 10_000 } as const;
		expect(await listed({ file: { heartbeatMs: 10_000 }, reported })).toMatchObject({
			waits: undefined,
			next: { source: "file", value: 10_000 },
		});
	});

	it("for a value that the bridge can't apply, because the settings have a problem", async () => {
		const reported = { key: "maxQueuedPerThread", source: "default", value: 20 } as const;
		expect(await listed({ file: { maxQueuedPerThread: 5, x: 1 }, reported, problem })).toMatchObject({
			...{ value: 20, waits: "correction", next: { source: "file", value: 5 } },
		});
		expect(await listed({ file: { x: 1 }, reported, problem })).toMatchObject({ waits: undefined });
	});

	it("and not for a bridge elsewhere, nor for an entry or a file that can't be used", async () => {
		const place = { started: { XWORKMATE_BRIDGE_URL: "https://bridge.example" } };
		expect(await listed({ file: { discordApprovers: ["2"] }, reported: approvers, place })).toMatchObject({
			...{ waits: "bridge", next: undefined },
		});
		expect(await listed({ file: { discordApprovers: 2 }, reported: approvers, problem })).toMatchObject({ next: undefined });
	});

	it("for a bridge that the user started, without the app's environment, which does not reach it", async () => {
		const place = { env: { XWORKMATE_DISCORD_APPROVERS: "3" }, ownsBridge: false };
		expect((await listed({ file: { discordApprovers: ["1", "2"] }, reported: approvers, place })).next).toEqual({
			...{ source: "file", value: ["1", "2"] },
		});
		expect((await listed({ reported: approvers, place: { ...place, ownsBridge: true } })).next).toEqual({
			source: "environment",
			value: ["3"],
		});
	});

	it("for a setting of the app", async () => {
		using home = temporaryHome();
		writeFileSync(join(home.path, "config.json"), '{ "appListen": "127.0.0.1:8790" }');
		const { settings } = await readSettingList({ home: home.path, env: {}, started: { XWORKMATE_APP_LISTEN: "127.0.0.1:8788" } });
		expect(settings.find(({ key }) => key === "appListen")?.next).toEqual({ source: "file", value: "127.0.0.1:8790" });
	});
});
