import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AgentDesk } from "../support/agents/agent-desk.ts";
import { type BridgeProcess, startBridge } from "../support/bridge/bridge-process.ts";
import { settle } from "../support/bridge/settle.ts";
import { registryAccess } from "../support/machine/registry-access.ts";
import { type TemporaryHome, temporaryHome } from "../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../support/model/fake-model.ts";
import { turn } from "../support/wire/turn.ts";

const BOUND_MS = 280_000;

let home: TemporaryHome;
let model: FakeModel;
let bridge: BridgeProcess;
let desk: AgentDesk;
beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel();
	bridge = await startBridge({ home, env: { ...registryAccess(), OPENAI_BASE_PATH: "v1/chat/completions" } });
	desk = new AgentDesk(bridge);
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

it("goose is installed from the registry, signed in to with a key, and does a task", async () => {
	await desk.call("install", "goose");
	const installed = await desk.until(
		"goose",
		"goose",
		({ job, test }) => (job === undefined ? test !== undefined : job.state !== "running"),
		BOUND_MS,
	);
	expect(installed.job, JSON.stringify(installed.job)).toBeUndefined();
	expect(installed).toMatchObject({ source: "installed", version: installed.offered });
	await desk.signIn("goose", "openai-key", { OPENAI_API_KEY: "dummy-key-of-goose", GOOSE_MODEL: "fake-model", OPENAI_HOST: model.url });
	expect(await desk.call("test", "goose")).toMatchObject({ state: "ready" });
	const { snapshot } = await settle(bridge.client(), turn({ prompt: "FAKE:SAY hello from goose", providerId: "goose" }));
	expect(snapshot).toMatchObject({ status: "completed", output: { text: expect.stringContaining("hello from goose") } });
});

it.each(["opencode", "gemini", "qwen", "claude", "codex"])("%s is installed from the registry, answers, and is removed", async (id) => {
	await desk.call("install", id);
	const installed = await desk.until(
		id,
		id,
		({ job, test }) => (job === undefined ? test !== undefined : job.state !== "running"),
		BOUND_MS,
	);
	expect(installed.job, JSON.stringify(installed.job)).toBeUndefined();
	expect(installed).toMatchObject({ source: "installed", version: installed.offered });
	// Without an account, it works or says that it needs one.
	expect(["ready", "needs_sign_in", "failed"]).toContain(installed.state);
	expect((await readdir(join(home.xworkmate, "agents", id))).toSorted()).toEqual([installed.offered, "current.json"]);
	await desk.call("remove", id);
	expect(await readdir(join(home.xworkmate, "agents"))).not.toContain(id);
});
