import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SettingList } from "../../../src/api/setting-view.ts";
import { applyConfig, getConfig, listConfig, secretConfig, setConfig, unsetConfig } from "../../../src/cli/config/config-commands.ts";
import { appEndpointFile } from "../../../src/process/app/running-app.ts";
import { bridgeEndpointFile, noteOwnBridge, writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { createAppToken } from "../../../src/server/access/app-token.ts";
import { readSettingList } from "../../../src/settings/read-setting-list.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** A server whose answer to a path is what `answers` has for it; to any other path, an empty object. */
async function serve(answers: Readonly<Record<string, () => unknown>> = {}) {
	const server = createServer(async (request, response) => {
		response.end(JSON.stringify({ result: await (answers[request.url ?? ""]?.() ?? {}) }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
	return { url, pid: process.pid, startedAt: new Date(0).toISOString(), [Symbol.asyncDispose]: close };
}

interface AppUnderTest {
	readonly endsBridge?: boolean;
	readonly appEnv?: Readonly<Record<string, string>>;
	readonly runsAs?: "service" | "background" | "terminal" | "detached" | undefined;
}

function commands(env: Readonly<Record<string, string>> = {}) {
	const home = temporaryHome();
	for (const part of ["app", "bridge"]) mkdirSync(join(home.path, part));
	const console = new RecordingConsole();
	const deps = { home: home.path, env, console };
	let restarts = 0;
	return {
		restarts: () => restarts,
		home: home.path,
		deps,
		lines: console.lines,
		notes: () => console.notes.join("\n"),
		/** A bridge that runs in the home. */
		async bridge(by: "user" | "app" = "user") {
			const { url, pid, startedAt, ...server } = await serve();
			writeEndpoint(bridgeEndpointFile(home.path), { url, pid, startedAt });
			if (by === "app") noteOwnBridge(home.path, { url, pid, startedAt });
			return { url, ...server };
		},
		/** An app that runs in the home. */
		async app(part: Partial<SettingList>, { endsBridge = true, appEnv = env, runsAs }: AppUnderTest = {}) {
			const list = async () => ({ ...(await readSettingList({ home: home.path, env: appEnv, started: appEnv })), ...part });
			const { url, pid, startedAt, ...server } = await serve({
				"/api/ping": () => ({ pid: process.pid, endsBridge, runsAs }),
				"/api/listSettings": list,
				"/api/restartBridge": () => {
					restarts += 1;
				},
			});
			createAppToken(home.path);
			writeEndpoint(appEndpointFile(home.path), { url, pid, startedAt });
			return server;
		},
		[Symbol.dispose]: () => home[Symbol.dispose](),
	};
}

describe("a bridge that runs without the app", () => {
	it("applies a setting at once, or once it is restarted, and not when XWorkmate starts", async () => {
		using here = commands();
		await using bridge = await here.bridge();
		const running = `A bridge is running at ${bridge.url}, but the app isn't running.`;
		await setConfig(here.deps, "maxActiveRuns", ["8"]);
		await setConfig(here.deps, "heartbeatMs", ["9000"]);
		await setConfig(here.deps, "background", ["true"]);
		expect(here.lines).toEqual([
			"Saved. maxActiveRuns is 8.",
			"Saved. heartbeatMs is 9000.",
			"Saved. When XWorkmate starts, background will be true.",
		]);
		expect(here.notes()).toBe(
			[
				`${running} The change applies to the bridge at once, unless its environment or a flag sets this setting.`,
				`${running} The change applies to the bridge after a restart.`,
				"Restart the bridge where it was started.",
			].join("\n"),
		);
	});

	it.each([
		["user", "Restart the bridge where it was started."],
		["app", "To restart it, start the app (npm start), then run npm run -s xworkmate -- config apply"],
	] as const)("and that the %s started is restarted so", async (by, fix) => {
		using here = commands();
		await using bridge = await here.bridge(by);
		expect(await applyConfig(here.deps)).toBe(0);
		expect(here.lines).toEqual([
			`XWorkmate is not running, but a bridge is, at ${bridge.url}. The bridge applies some settings at once, and the others after a restart.`,
		]);
		expect(here.notes()).toBe(fix);
	});
});

it("config apply --restart restarts the bridge although no setting needs it, as after a change of providers.json", async () => {
	using here = commands();
	await using _bridge = await here.bridge("app");
	await using _app = await here.app({ inEffect: true });
	expect([await applyConfig(here.deps), here.restarts()]).toEqual([0, 0]);
	expect([await applyConfig(here.deps, true), here.restarts()]).toEqual([0, 1]);
	expect(here.lines).toEqual(["The bridge already uses these settings.", "The bridge was restarted and now uses these settings."]);
});

describe("a running app whose bridge does not report its settings", () => {
	it("is not said to be absent, and its bridge not to use the settings", async () => {
		using here = commands();
		await using _app = await here.app({ inEffect: false });
		await using _bridge = await here.bridge("app");
		expect(await applyConfig(here.deps)).toBe(1);
		await setConfig(here.deps, "maxActiveRuns", ["8"]);
		await setConfig(here.deps, "background", ["true"]);
		expect(here.lines).toEqual(["Saved. maxActiveRuns is 8.", "Saved. background is true now."]);
		await listConfig(here.deps, false);
		expect(here.notes()).toContain(
			"XWorkmate can't tell whether the bridge uses these settings, because the bridge did not report which ones it uses.",
		);
		expect(here.notes()).toContain("its bridge did not report whether it uses the change yet.");
		expect(here.notes()).toContain("These are the settings that a bridge would start with here.");
		expect(here.notes()).not.toContain("but the app isn't running");
	});
});

it("a bridge that the app did not start is restarted where it was started", async () => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const waiting = settings.map((row) => (row.key === "heartbeatMs" ? { ...row, waits: "bridge" as const } : row));
	await using _app = await here.app({ inEffect: true, settings: waiting }, { endsBridge: false });
	await setConfig(here.deps, "heartbeatMs", ["9000"]);
	expect(here.notes()).toBe("Waiting for a restart of the bridge: heartbeatMs. Restart the bridge where it was started.");
});

it.each([
	["service", "Restart it: npm run -s xworkmate -- service install"],
	["background", "Stop it: npm run -s xworkmate -- stop"],
	["terminal", "Stop it with Ctrl+C in its terminal."],
	["detached", `To stop it, end process ${process.pid}.`],
	[
		undefined,
		`Stop it with Ctrl+C in its terminal, or end process ${process.pid}. If it runs in the background: npm run -s xworkmate -- stop`,
	],
] as const)("an app that has to be restarted is stopped as it can be: %s", async (runsAs, how) => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const waiting = settings.map((row) => (row.key === "background" ? { ...row, waits: "app" as const } : row));
	await using _app = await here.app({ inEffect: true, settings: waiting }, { runsAs });
	await listConfig(here.deps, false);
	expect(here.notes()).toBe(`Waiting for a restart of XWorkmate: background. ${how}`);
});

describe("a bridge elsewhere", () => {
	const url = "https://bridge.example";

	it.each(["not running", "running"])("keeps its settings, and those here are not changed in vain, with the app %s", async (state) => {
		using here = commands(state === "running" ? {} : { XWORKMATE_BRIDGE_URL: url });
		await using _app = state === "running" ? await here.app({ inEffect: true }, { appEnv: { XWORKMATE_BRIDGE_URL: url } }) : undefined;
		const refused = "The bridge was started elsewhere and has its own settings.";
		await expect(setConfig(here.deps, "maxActiveRuns", ["8"])).rejects.toThrow(refused);
		await expect(secretConfig(here.deps, "openclawToken", async () => "hunter2hunter2")).rejects.toThrow(refused);
		expect([join(here.home, "config.json"), join(here.home, "bridge", "openclaw-token")].filter(existsSync)).toEqual([]);
		await setConfig(here.deps, "background", ["true"]);
		await unsetConfig(here.deps, "maxActiveRuns");
		expect(here.lines.at(-1)).toBe(`The setting was not in config.json. The bridge at ${url} has its own settings.`);
	});

	it("is named beside a list that isn't its own, and beside settings that don't apply to it", async () => {
		using here = commands({ XWORKMATE_BRIDGE_URL: url });
		await listConfig(here.deps, false);
		expect(here.notes()).toContain(`The bridge at ${url} has its own settings, which aren't shown here.`);
		expect(here.notes()).not.toContain("No bridge is running.");
		await applyConfig(here.deps);
		expect(here.notes()).toContain(`They don't apply to the bridge at ${url}, which has its own settings.`);
	});
});

it("`config secret` says of a setting that is none how to set it or, with --remove, how to remove it, and asks for nothing", async () => {
	using here = commands();
	const asked = () => Promise.reject(new Error("It asked."));
	const set = { fix: "Set a value instead: npm run -s xworkmate -- config set maxActiveRuns VALUE" };
	await expect(secretConfig(here.deps, "maxActiveRuns", asked)).rejects.toMatchObject(set);
	const unset = { fix: "Remove its value from config.json: npm run -s xworkmate -- config unset maxActiveRuns" };
	await expect(secretConfig(here.deps, "maxActiveRuns", undefined)).rejects.toMatchObject(unset);
});

it("a secret that was not stored is not said to be removed", async () => {
	using here = commands();
	await secretConfig(here.deps, "openclawToken", undefined);
	await secretConfig(here.deps, "openclawToken", async () => "hunter2hunter2");
	await secretConfig(here.deps, "openclawToken", undefined);
	expect(here.lines.map((line) => line.split(".")[0])).toEqual(["There was no stored secret", "Saved", "Removed"]);
});

describe("a setting of a variable", () => {
	const env = { XWORKMATE_MAX_QUEUED: "3", XWORKMATE_OPENCLAW_TOKEN: "of-the-environment" };

	it("is said to take precedence over what was saved, where that was saved", async () => {
		using here = commands(env);
		await setConfig(here.deps, "maxQueued", ["4"]);
		await secretConfig(here.deps, "openclawToken", async () => "hunter2hunter2");
		const [plain, secret] = ["XWORKMATE_MAX_QUEUED", "XWORKMATE_OPENCLAW_TOKEN"];
		expect(here.lines).toEqual([
			`Saved. It has no effect, because the environment variable ${plain} takes precedence over config.json: maxQueued stays 3.`,
			`Saved. It has no effect, because the environment variable ${secret} takes precedence over the stored secret: openclawToken stays set.`,
		]);
		expect(here.notes()).toBe(
			[
				`For config.json to apply, unset ${plain}, and restart XWorkmate if it is running.`,
				`For the stored secret to apply, unset ${secret}, and restart XWorkmate if it is running.`,
			].join("\n"),
		);
	});

	it("still applies after a removal, and no removal is said where nothing was removed", async () => {
		using here = commands(env);
		await setConfig(here.deps, "maxQueued", ["4"]);
		await unsetConfig(here.deps, "maxQueued");
		await unsetConfig(here.deps, "maxQueued");
		await secretConfig(here.deps, "openclawToken", undefined);
		expect(here.lines.slice(1)).toEqual([
			"Removed. The environment variable XWORKMATE_MAX_QUEUED still sets maxQueued to 3.",
			"The setting was not in config.json. The environment variable XWORKMATE_MAX_QUEUED sets maxQueued to 3.",
			"There was no stored secret. The environment variable XWORKMATE_OPENCLAW_TOKEN sets openclawToken.",
		]);
		expect(here.notes()).toContain("To change that, unset XWORKMATE_MAX_QUEUED, and restart XWorkmate if it is running.");
	});
});

it("an earlier change that still waits is not taken for a removal that did not happen", async () => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const waiting = settings.map((row) => (row.key === "heartbeatMs" ? { ...row, waits: "bridge" as const } : row));
	await using _app = await here.app({ inEffect: true, settings: waiting });
	await unsetConfig(here.deps, "heartbeatMs");
	expect(here.lines).toEqual(["The setting was not in config.json. An earlier change to heartbeatMs is not in effect yet."]);
});

it("what was saved waits for a bridge that only another app's environment sets it for, and not if this app's sets it too", async () => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const saved = async (more: object) => {
		const variable = { source: "environment" as const, value: 3, waits: "bridge" as const, ...more };
		const taken = settings.map((row) => (row.key === "maxQueued" ? { ...row, ...variable } : row));
		await using _app = await here.app({ inEffect: true, settings: taken });
		await setConfig(here.deps, "maxQueued", ["9"]);
		return here.lines.at(-1);
	};
	expect(await saved({})).toBe("Saved. It is not in effect yet.");
	expect(await saved({ waitsInVariable: true })).toContain("It has no effect, because the environment variable XWORKMATE_MAX_QUEUED");
});

it("settings that can't be used are not said to apply when XWorkmate starts", async () => {
	using here = commands({ XWORKMATE_MAX_ACTIVE_RUNS: "abc" });
	await expect(applyConfig(here.deps)).rejects.toThrow("XWORKMATE_MAX_ACTIVE_RUNS must be a whole number from 1 to 1000.");
	await setConfig(here.deps, "maxQueued", ["9"]);
	expect(here.notes()).toContain("Some settings can't be used: XWORKMATE_MAX_ACTIVE_RUNS must be");
	expect(here.notes()).not.toContain("config.json is wrong");
});

it("no value is given of a setting that a damaged config.json may have, while the app that would know isn't running", async () => {
	using here = commands();
	writeFileSync(join(here.home, "config.json"), '{ "appListen": "127.0');
	await expect(getConfig(here.deps, "appListen", false)).rejects.toThrow("The file is not JSON");
	expect(here.lines).toEqual([]);
});

it("while config.json can't be used, no bridge is said to start with the settings, and none to wait for a restart of the app", async () => {
	using here = commands();
	writeFileSync(join(here.home, "config.json"), '{ "maxActiveRuns": "x", "backgroundIdleMs": 700000 }');
	expect(await listConfig(here.deps, false)).toBe(1);
	expect(here.notes()).toContain("No bridge is running. A bridge can't start with these settings until they are corrected.");
	await using _app = await here.app({ inEffect: true });
	await listConfig(here.deps, false);
	expect(here.lines.join("\n")).toMatch(/^backgroundIdleMs = .*; 700000 can't take effect until the settings are corrected\)$/m);
	expect(here.notes()).not.toContain("Waiting for a restart");
});

it("a secret that the running bridge can't replace is not said to be in use", async () => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const rows = settings.map((row) => (row.key === "discordToken" ? { ...row, source: "file" as const } : row));
	const problem = { message: '"x" is not an XWorkmate setting.', fix: "Remove it." };
	await using _app = await here.app({ inEffect: true, settings: rows, problem });
	expect(await secretConfig(here.deps, "discordToken", async () => "hunter2hunter2")).toBe(1);
	expect(here.lines).toEqual(["Saved. It is not in effect yet."]);
	expect(here.notes()).toBe('Changes aren\'t applied until this is corrected: "x" is not an XWorkmate setting. Remove it.');
});

it("a value that the running bridge can't apply is not said to be in use, and what has to be corrected is", async () => {
	using here = commands();
	const { settings } = await readSettingList({ home: here.home, env: {} });
	const blocked = { waits: "correction" as const, next: { source: "file" as const, value: 5 } };
	const problem = { message: '"x" is not an XWorkmate setting.', fix: "Remove it." };
	const rows = settings.map((row) => (row.key === "maxQueued" ? { ...row, ...blocked } : row));
	await using _app = await here.app({ inEffect: true, settings: rows, problem });
	expect(await setConfig(here.deps, "maxQueued", ["5"])).toBe(1);
	expect(here.lines).toEqual(["Saved. It is not in effect yet."]);
	expect(here.notes()).toBe('Changes aren\'t applied until this is corrected: "x" is not an XWorkmate setting. Remove it.');
});
