import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { trialRun } from "../../../src/providers/openclaw/trial-run.ts";
import { type PluginDouble, refusal } from "./plugin-double.ts";
import { noSuchMethod, providerScene, reloaded } from "./provider-scene.ts";

const BOUND_MS = 20_000;

describe("whether the gateway can be used", () => {
	it("is asked of the plugin", async () => {
		await using s = await providerScene();
		expect(await s.provider.availability()).toEqual({ available: true });
	});

	it.each([
		[(plugin: PluginDouble) => (plugin.contractVersion = 0), "GATEWAY_PLUGIN_VERSION"],
		[
			(plugin: PluginDouble) => (plugin.before = (method) => (method === "xworkmate.doctor" ? refusal("INTERNAL") : "go on")),
			"GATEWAY_PLUGIN_UNUSABLE",
		],
	])("is said with a code and a fix", async (change, code) => {
		await using s = await providerScene();
		change(s.plugin);
		expect(await s.provider.availability()).toMatchObject({
			available: false,
			unavailable: { code, fix: expect.stringContaining("plugin") },
		});
	});

	it("is said only when the plugin refuses a run that never was by the right reason", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) =>
			method === "xworkmate.session.release"
				? { error: { code: "UNAVAILABLE", message: "it failed", details: { code: "INTERNAL" } } }
				: "go on";
		expect(await s.provider.availability()).toEqual({
			available: false,
			unavailable: expect.objectContaining({
				code: "GATEWAY_PLUGIN_UNUSABLE",
				message: "The gateway's XWorkmate plugin isn't working: it failed.",
			}),
		});
	});

	it("is found out by a run that the plugin really prepares and releases, which leaves nothing", async () => {
		await using s = await providerScene();
		expect(await s.provider.availability()).toEqual({ available: true });
		const [trial] = s.plugin.calls.map((call) => call.split(" ")[1]);
		expect(s.plugin.calls).toEqual(["release", "prepare", "release"].map((method) => `xworkmate.session.${method} ${trial}`));
		expect(s.plugin.runs.size).toBe(0);
		const unusable = { available: false, unavailable: { code: "GATEWAY_PLUGIN_UNUSABLE" } };
		s.plugin.before = (method) => (method === "xworkmate.session.prepare" ? refusal("SCOPE_BLOCKED") : "go on");
		expect(await s.provider.test()).toMatchObject(unusable);
		s.plugin.before = (method) => {
			if (method !== "xworkmate.session.release" || s.plugin.runs.size === 0) return "go on";
			return refusal("SCOPE_BLOCKED");
		};
		expect(await s.provider.test()).toMatchObject(unusable);
	});

	it("takes away with the next try what the last one left when its answer was lost", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) => {
			if (method !== "xworkmate.session.release" || s.plugin.runs.size === 0) return "go on";
			s.double.cut();
			return undefined;
		};
		expect(await s.provider.availability()).toMatchObject({ available: false, unavailable: { code: "GATEWAY_CONNECTING" } });
		expect(s.plugin.runs.size).toBe(1);
		s.plugin.before = () => "go on";
		await expect.poll(() => s.provider.test(), { timeout: BOUND_MS }).toEqual({ available: true });
		expect(s.plugin.runs.size).toBe(0);
	});

	it("is not waited for beyond a bound", async () => {
		await using s = await providerScene({ diagnoseMs: 20 });
		s.plugin.before = (method) => (method === "xworkmate.session.prepare" ? undefined : "go on");
		expect(await s.provider.availability()).toMatchObject({ available: false, unavailable: { code: "GATEWAY_CONNECTING" } });
	});

	it("tries once for all who ask at the same time, and again for whoever tests it", async () => {
		await using s = await providerScene();
		const prepared = () => s.plugin.calls.filter((call) => call.startsWith("xworkmate.session.prepare")).length;
		const all = await Promise.all([s.provider.availability(), s.provider.test(), s.provider.availability()]);
		expect(all.every(({ available }) => available)).toBe(true);
		await s.provider.availability();
		expect(prepared()).toBe(1);
		await s.provider.test();
		expect(prepared()).toBe(2);
	});

	it("names the command that replaces a plugin of an earlier release, and prepares nothing there", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) => (method === "xworkmate.session.release" ? noSuchMethod : "go on");
		const answer = await s.provider.availability();
		expect(answer).toMatchObject({
			unavailable: {
				code: "GATEWAY_PLUGIN_VERSION",
				message: "The gateway's XWorkmate plugin 0 is too old: it can't release a run that it prepared.",
			},
		});
		const [, command = ""] = /`(openclaw plugins install [^`]+)`/.exec(answer.available ? "" : answer.unavailable.fix) ?? [];
		const document = new URL("../../../../docs/openclaw.md", import.meta.url);
		expect((await readFile(document, "utf8")).split("\n")).toContain(command);
		expect(s.plugin.runs.size).toBe(0);
	});

	it.each([
		["turned off", "2026.9.6", [{ id: "xworkmate", state: "disabled" }], "GATEWAY_PLUGIN_DISABLED", "openclaw plugins enable xworkmate"],
		["not installed", "2026.9.6", [{ id: "other", state: "enabled" }], "GATEWAY_PLUGIN_MISSING", "docs/openclaw.md"],
		["installed but not loaded", "2026.9.1", [], "GATEWAY_PLUGIN_MISSING", "If the plugin is already installed, restart the gateway."],
		["one that failed to load", "2026.9.6", [{ id: "xworkmate", state: "error" }], "GATEWAY_PLUGIN_UNUSABLE", "restart the gateway"],
		["one for a later gateway", "2026.8.4", [], "GATEWAY_VERSION_TOO_OLD", "npm i -g openclaw@2026.9.6"],
	])("tells from a gateway without the plugin's methods that it is %s", async (_, version, plugins, code, fix) => {
		await using s = await providerScene();
		s.plugin.version = version;
		s.plugin.before = (method) =>
			method === "plugins.list" ? { payload: { plugins } } : method.startsWith("xworkmate.") ? noSuchMethod : "go on";
		expect(await s.provider.availability()).toMatchObject({ unavailable: { code, fix: expect.stringContaining(fix) } });
	});

	it("sees a plugin that came while the bridge was connected", async () => {
		await using s = await providerScene({ doctorMs: 0 });
		let isThere = false;
		s.plugin.before = (method) => (method.startsWith("xworkmate.") && !isThere ? noSuchMethod : "go on");
		expect(await s.provider.availability()).toMatchObject({ available: false });
		isThere = true;
		expect(await s.provider.availability()).toEqual({ available: true });
	});

	it("waits for a plugin that is being loaded again, as a passing state", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) => (method.startsWith("xworkmate.") ? reloaded : "go on");
		expect(await s.provider.availability()).toMatchObject({ unavailable: { code: "GATEWAY_STARTING" } });
	});

	it("refuses a gateway of an untested version, and takes it when the setting allows it", async () => {
		const untested = { code: "GATEWAY_VERSION_UNTESTED", message: "m", fix: "f" };
		for (const allowUntested of [false, true]) {
			await using s = await providerScene({}, allowUntested);
			s.plugin.problems = [untested];
			expect(await s.provider.availability()).toEqual(allowUntested ? { available: true } : { available: false, unavailable: untested });
		}
	});
});

describe("the run by which a bridge tries a gateway", () => {
	it("is the same at every start of one bridge, and another one for each bridge", () => {
		const [one, other] = ["a", "b"].map((letter) => letter.repeat(64));
		expect(trialRun(one)).toEqual(trialRun(one));
		for (const part of ["runId", "sessionKey", "artifactScope"] as const) expect(trialRun(one)[part]).not.toBe(trialRun(other)[part]);
	});
});
