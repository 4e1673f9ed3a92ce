import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridgeSettings } from "@xworkmate/platform/settings";
import { expect, it, vi } from "vitest";
import { ConfigError } from "../src/config/config-error.ts";
import { LiveSettings } from "../src/live-settings.ts";

async function temporaryHome(settings: Readonly<Record<string, unknown>> = {}) {
	const home = await mkdtemp(join(tmpdir(), "live-settings-"));
	const write = (text: string) => writeFileSync(join(home, "config.json"), text);
	write(JSON.stringify(settings));
	const open = (env: Record<string, string> = {}, argv: readonly string[] = []) =>
		LiveSettings.open({ XWORKMATE_HOME: home, ...env }, argv);
	return { home, write, open, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
}

async function refusal(opening: Promise<LiveSettings>): Promise<ConfigError> {
	const error = await opening.then(
		() => undefined,
		(refused: unknown) => refused,
	);
	if (error instanceof ConfigError) return error;
	throw new Error("nothing was refused", { cause: error });
}

async function rowOf(settings: LiveSettings, key: string) {
	return (await settings.list()).settings.find((row) => row.key === key);
}

it("come from a flag, the environment, config.json or the default, and say so", async () => {
	await using place = await temporaryHome({ maxActiveRuns: 2, maxQueued: 3, maxPlans: 4 });
	const settings = await place.open({ XWORKMATE_MAX_ACTIVE_RUNS: "5", XWORKMATE_MAX_QUEUED: "6" }, ["--max-active-runs", "7"]);
	expect(settings.config.runLimits).toMatchObject({ maxActiveRuns: 7, maxQueued: 6, maxQueuedPerThread: 20 });
	expect(settings.config.planLimits.maxPlans).toBe(4);
	expect(await rowOf(settings, "maxActiveRuns")).toEqual({ key: "maxActiveRuns", source: "flag", value: 7 });
	expect(await rowOf(settings, "maxQueued")).toEqual({ key: "maxQueued", source: "environment", value: 6 });
	expect(await rowOf(settings, "maxPlans")).toEqual({ key: "maxPlans", source: "file", value: 4 });
	expect(await rowOf(settings, "maxQueuedPerThread")).toEqual({ key: "maxQueuedPerThread", source: "default", value: 20 });
	expect(await rowOf(settings, "home")).toMatchObject({ source: "environment", value: place.home });
});

it("apply without a restart where they can, in the objects that the bridge shares; the others wait", async () => {
	await using place = await temporaryHome();
	const settings = await place.open();
	const { config } = settings;
	const { runLimits, approvalPolicy } = config;
	let applied = 0;
	settings.onApplied(() => applied++);
	place.write(
		'{ "maxActiveRuns": 9, "allowedRoots": ["/tmp"], "defaultProvider": "goose", "allowProviders": ["goose"], "heartbeatMs": 9000 }',
	);
	expect(await rowOf(settings, "heartbeatMs")).toEqual({ key: "heartbeatMs", source: "default", value: 10_000, waiting: true });
	expect(runLimits.maxActiveRuns).toBe(9);
	expect([...approvalPolicy.allowProviders]).toEqual(["goose"]);
	expect(config).toMatchObject({ allowedRoots: ["/tmp"], defaultProvider: "goose", heartbeatMs: 10_000 });
	expect(applied).toBe(1);
	await settings.list();
	expect(applied).toBe(1);
	for (const same of ["{}", '{ "heartbeatMs": 10000 }']) {
		place.write(same);
		expect(await rowOf(settings, "heartbeatMs")).toEqual({ key: "heartbeatMs", source: "default", value: 10_000 });
	}
	expect(config).toMatchObject({ allowedRoots: [], defaultProvider: undefined });
});

it("stay as they were while config.json can't be used, and say why", async () => {
	await using place = await temporaryHome({ maxActiveRuns: 2 });
	const settings = await place.open();
	for (const text of ['{ "maxActiveRuns": 9', '{ "maxActiveRuns": 0 }', '{ "maxActiveRunz": 9 }', '{ "bridgeListen": "0.0.0.0:1" }']) {
		place.write(text);
		const { problem } = await settings.list();
		expect(problem?.message).toBeTruthy();
		expect(settings.config.runLimits.maxActiveRuns).toBe(2);
	}
	place.write('{ "maxActiveRuns": 3 }');
	expect((await settings.list()).problem).toBeUndefined();
	expect(settings.config.runLimits.maxActiveRuns).toBe(3);
});

it("are noticed when the file changes", async () => {
	await using place = await temporaryHome();
	const settings = await place.open();
	const applied = Promise.withResolvers<void>();
	const told = Promise.withResolvers<string>();
	settings.onApplied(applied.resolve);
	using _watch = settings.watch(({ message }) => told.resolve(message));
	place.write('{ "maxActiveRuns": 9 }');
	await applied.promise;
	expect(settings.config.runLimits.maxActiveRuns).toBe(9);
	place.write("{");
	expect(await told.promise).toContain("config.json:1:2: The file is not JSON");
});

it("are logged once for each reason that config.json can't be used, also if a listing finds it first", async () => {
	await using place = await temporaryHome();
	const settings = await place.open();
	const told: string[] = [];
	using _watch = settings.watch(({ message }) => told.push(message));
	for (const text of ["{", '{ "maxActiveRuns": 0 }']) {
		place.write(text);
		const { problem } = await settings.list();
		await vi.waitFor(() => expect(told.at(-1)).toBe(problem?.message), 5_000);
	}
	expect(told).toHaveLength(2);
});

it("refuse a start with a wrong value, named with its line and column, and with the fix", async () => {
	await using place = await temporaryHome();
	place.write('{\n\t"maxActiveRun": 9\n}');
	const { message, fix } = await refusal(place.open());
	expect(message).toBe(`${join(place.home, "config.json")}:2:2: "maxActiveRun" is not an XWorkmate setting.`);
	expect(fix).toBe('Did you mean "maxActiveRuns"?');
});

it("take secrets from files of their own, which only their owner can read, and never show them", async () => {
	await using place = await temporaryHome();
	mkdirSync(join(place.home, "bridge"));
	const file = join(place.home, "bridge", "openclaw-token");
	writeFileSync(file, "hunter2hunter2\n", { mode: 0o600 });
	const settings = await place.open();
	expect(settings.config.openclaw.token).toBe("hunter2hunter2");
	expect(await rowOf(settings, "openclawToken")).toEqual({ key: "openclawToken", source: "file" });
	expect(settings.config.openclaw.setBy).toEqual({});
	const { openclaw } = (await place.open({ XWORKMATE_OPENCLAW_TOKEN: "another" })).config;
	expect(openclaw).toMatchObject({ token: "another", setBy: { token: "XWORKMATE_OPENCLAW_TOKEN" } });
	writeFileSync(file, "hunter3hunter3\n");
	expect(await rowOf(settings, "openclawToken")).toEqual({ key: "openclawToken", source: "file", waiting: true });
	chmodSync(file, 0o644);
	expect((await refusal(place.open())).message).toContain("Other users have access to");
	expect(JSON.stringify(await settings.list())).not.toContain("hunter");
});

const live = bridgeSettings.filter((setting) => setting.live && setting.inFile);

it.each(live.map(({ key }) => key))("apply without a restart, as a start with them would: %s", async (key) => {
	await using place = await temporaryHome();
	const settings = await place.open();
	const before = (await rowOf(settings, key))?.value;
	const step = typeof before === "number" ? [before - 1, before + 1, before * 2] : [];
	for (const value of [...step, before !== true, "debug", ["goose"], ["/tmp"], "goose"]) {
		place.write(JSON.stringify({ [key]: value }));
		const started = await place.open().catch(() => undefined);
		if (started === undefined || (await rowOf(started, key))?.value === before) continue;
		expect((await rowOf(settings, key))?.value).toEqual(value);
		expect(settings.config).toEqual(started.config);
		return;
	}
	throw new Error("no other value of this setting is known here");
});
