import { describe, expect, it } from "vitest";
import { type PluginDouble, refusal } from "./plugin-double.ts";
import { noSuchMethod, providerScene, reloaded } from "./provider-scene.ts";

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
			method === "xworkmate.tasks.get" ? { error: { code: "UNAVAILABLE", message: "it failed", details: { code: "INTERNAL" } } } : "go on";
		expect(await s.provider.availability()).toEqual({
			available: false,
			unavailable: expect.objectContaining({
				code: "GATEWAY_PLUGIN_UNUSABLE",
				message: "The gateway's XWorkmate plugin does not work: it failed.",
			}),
		});
	});

	it.each([
		["turned off", "2026.9.6", [{ id: "xworkmate", state: "disabled" }], "GATEWAY_PLUGIN_DISABLED", "openclaw plugins enable xworkmate"],
		["not installed", "2026.9.6", [{ id: "other", state: "enabled" }], "GATEWAY_PLUGIN_MISSING", "docs/openclaw.md"],
		["installed but not loaded", "2026.9.1", [], "GATEWAY_PLUGIN_MISSING", "If it is already installed, restart the gateway."],
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
