import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { AgentDesk } from "../../support/agents/agent-desk.ts";
import { type FakeRegistry, startFakeRegistry, writeCatalogue } from "../../support/agents/fake-registry.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

// Each installation is two runs of npm.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let home: TemporaryHome;
let registry: FakeRegistry;
let bridge: BridgeProcess;
let desk: AgentDesk;

const offer = (version: string) => writeCatalogue(home, [{ id: "alpha", package: "@fake/alpha", version }]);

beforeAll(async () => {
	home = await temporaryHome();
	registry = await startFakeRegistry();
	await registry.publish({ name: "@fake/alpha", version: "1.0.0" });
	await offer("1.0.0");
	bridge = await startBridge({ home, env: { npm_config_registry: registry.url } });
	desk = new AgentDesk(bridge);
	const installed = await desk.ended("install", "alpha");
	expect(installed, JSON.stringify(installed.job)).toMatchObject({ state: "ready", version: "1.0.0" });
	await registry.publish({ name: "@fake/alpha", version: "1.1.0" });
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await registry[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const Newest = z.object({
	at: z.string(),
	version: z.string().optional(),
	problem: z.looseObject({ code: z.string(), message: z.string(), fix: z.string() }).optional(),
});
const Checked = z.object({ agents: z.array(z.looseObject({ agentId: z.string(), newest: Newest.optional() })) });

async function check(of = bridge) {
	const { agents } = Checked.parse(await of.client().rpc("xworkmate.agents.check"));
	return agents.find(({ agentId }) => agentId === "alpha")?.newest;
}

it("the registry is asked for newer versions only when a person asks, and then nothing is installed", async () => {
	const before = await registry.requests();
	await desk.list();
	await desk.call("test", "alpha");
	expect(await registry.requests()).toEqual(before);
	expect(await desk.agent("alpha")).not.toHaveProperty("newest");
	expect(await check()).toMatchObject({ version: "1.1.0" });
	expect(await desk.agent("alpha")).toMatchObject({ version: "1.0.0", offered: "1.0.0", hasUpdate: false, newest: { version: "1.1.0" } });
	const asked = (await registry.requests()).slice(before.length);
	expect(asked.length).toBeGreaterThan(0);
	expect(asked.filter((request) => request.includes(".tgz"))).toEqual([]);
});

it("a registry that refuses, never answers, or can't be reached is said plainly, within the bound", async () => {
	await registry.fail("refuse", "@fake/alpha");
	expect(await check()).toMatchObject({ problem: { code: "REGISTRY_REFUSED" } });
	await registry.fail("hang", "@fake/alpha");
	const begun = performance.now();
	expect(await check()).toMatchObject({
		problem: { code: "REGISTRY_UNREACHABLE", message: "The npm registry did not respond in time." },
	});
	expect(performance.now() - begun).toBeLessThan(40_000);
	await registry.mend();
	expect(await desk.agent("alpha")).toMatchObject({ state: "ready", version: "1.0.0" });
});

it("a test is kept for the next bridge with its time, and forgotten when the tested version or sign-in is gone", async () => {
	const tested = await desk.call("test", "alpha");
	expect(tested.state).toBe("ready");
	await bridge.restart();
	const kept = await desk.agent("alpha");
	expect([kept.state, kept.test]).toEqual(["ready", tested.test]);
	expect(kept).not.toHaveProperty("newest");
	const file = join(home.xworkmate, "bridge", "agent-tests.json");
	expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 1, agents: { alpha: { version: "1.0.0" } } });
	await desk.call("remove", "alpha");
	await bridge.restart();
	expect(await desk.agent("alpha")).toMatchObject({ state: "missing" });
	expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ version: 1, agents: {} });
});

it("who is offline is told so", async () => {
	expect((await desk.ended("install", "alpha")).version).toBe("1.0.0");
	await bridge[Symbol.asyncDispose]();
	bridge = await startBridge({ home, env: { npm_config_registry: "http://127.0.0.1:9" } });
	desk = new AgentDesk(bridge);
	expect(await check()).toMatchObject({
		problem: { code: "REGISTRY_UNREACHABLE", message: "The npm registry can't be reached.", fix: expect.stringContaining("connection") },
	});
});
