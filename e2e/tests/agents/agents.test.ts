import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AgentDesk } from "../../support/agents/agent-desk.ts";
import { type FakeRegistry, startFakeRegistry, writeCatalogue } from "../../support/agents/fake-registry.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { refused } from "../../support/wire/refused.ts";

const names = ["alpha", "beta", "gamma", "signed", "endless", "scripted", "quiet", "hangs", "dies", "asks", "floods", "bare", "absent"];
// Each installation is two runs of npm.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let home: TemporaryHome;
let registry: FakeRegistry;
let bridge: BridgeProcess;
let desk: AgentDesk;
/** Of each package, so that the catalogue can name it. */
const hashes = new Map<string, string>();

async function offer(versions: Readonly<Record<string, string>> = {}, integrity: Readonly<Record<string, string>> = {}): Promise<void> {
	const extras = (id: string) => ({
		...(id === "scripted" && { scripts: true }),
		...(integrity[id] !== undefined && { integrity: integrity[id] }),
		...(id === "alpha" && { defaultEnv: { FAKE_MODE: "ask" } }),
	});
	await writeCatalogue(
		home,
		names.map((id) => ({ id, package: `@fake/${id}`, version: versions[id] ?? "1.0.0", extras: extras(id) })),
	);
}

beforeAll(async () => {
	home = await temporaryHome();
	registry = await startFakeRegistry();
	const marks = (id: string) => ({ postinstall: `node -e "require('fs').writeFileSync('${join(home.path, `ran-${id}`)}', '')"` });
	for (const id of ["alpha", "beta", "gamma"]) hashes.set(id, await registry.publish({ name: `@fake/${id}`, version: "1.0.0" }));
	await registry.publish({ name: "@fake/signed", version: "1.0.0", needsSignIn: true });
	await registry.publish({ name: "@fake/endless", version: "1.0.0", needsSignIn: true, signIn: "endless" });
	await registry.publish({ name: "@fake/inner", version: "1.0.0", scripts: marks("inner") });
	await registry.publish({
		name: "@fake/scripted",
		version: "1.0.0",
		scripts: marks("scripted"),
		dependencies: { "@fake/inner": "1.0.0" },
	});
	await registry.publish({ name: "@fake/quiet", version: "1.0.0", scripts: marks("quiet"), dependencies: { "@fake/inner": "1.0.0" } });
	for (const start of ["hangs", "dies", "asks", "floods"] as const)
		await registry.publish({ name: `@fake/${start}`, version: "1.0.0", start });
	await registry.publish({ name: "@fake/bare", version: "1.0.0", withoutProgram: true });
	await offer();
	bridge = await startBridge({ home, env: { npm_config_registry: registry.url, FAKE_OUTSIDE: "of the bridge" } });
	desk = new AgentDesk(bridge);
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await registry[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const folderOf = (id: string) => join(home.xworkmate, "agents", id);
const left = async (id: string) => (existsSync(folderOf(id)) ? await readdir(folderOf(id)) : []);

/** The catalogue is read when the bridge starts. */
async function restart(versions: Readonly<Record<string, string>>, integrity?: Readonly<Record<string, string>>): Promise<void> {
	await offer(versions, integrity);
	await bridge.restart();
}

it("an agent of npm is installed into the home, answers, and works", async () => {
	expect(await desk.agent("alpha")).toMatchObject({ state: "missing", canInstall: true, offered: "1.0.0", hasUpdate: false });
	const begun = await desk.call("install", "alpha");
	expect(begun.job).toMatchObject({ kind: "install", state: "running", version: "1.0.0" });
	const installed = await desk.until("alpha", "alpha", ({ state, job }) => state === "ready" || job?.state === "failed");
	expect(installed, JSON.stringify(installed.job)).toMatchObject({ state: "ready", source: "installed", version: "1.0.0" });
	expect(installed.job).toBeUndefined();
	expect(await left("alpha")).toEqual(["1.0.0", "current.json"]);
	expect(JSON.parse(await readFile(join(folderOf("alpha"), "current.json"), "utf8"))).toMatchObject({
		version: "1.0.0",
		package: "@fake/alpha",
		integrity: hashes.get("alpha"),
		runtime: "node",
	});
	expect(await desk.says("alpha")).toEqual({ version: "1.0.0", variables: { FAKE_MODE: "ask", FAKE_OUTSIDE: "of the bridge" } });
	// Installed is installed: nothing is fetched again.
	const before = (await registry.requests()).length;
	expect(await desk.call("install", "alpha")).toMatchObject({ state: "ready", version: "1.0.0" });
	expect((await registry.requests()).length).toBe(before);
});

it("nothing is updated unless a person says so, and the old version works until the new one has answered", async () => {
	expect((await desk.ended("install", "gamma")).version).toBe("1.0.0");
	await registry.publish({ name: "@fake/gamma", version: "2.0.0", start: "dies" });
	await registry.publish({ name: "@fake/gamma", version: "3.0.0" });
	await restart({ gamma: "2.0.0" });
	expect(await desk.agent("gamma")).toMatchObject({ version: "1.0.0", offered: "2.0.0", hasUpdate: true });
	expect(await desk.call("install", "gamma")).toMatchObject({ version: "1.0.0", hasUpdate: true });
	expect((await desk.agent("gamma")).job).toBeUndefined();
	expect((await desk.says("gamma")).version).toBe("1.0.0");

	const failed = await desk.ended("update", "gamma");
	expect(failed).toMatchObject({
		version: "1.0.0",
		job: {
			kind: "update",
			state: "failed",
			stage: "starting",
			problem: { code: "AGENT_NOT_STARTED", message: expect.stringContaining("no licence") },
		},
	});
	expect(await left("gamma")).toEqual(["1.0.0", "current.json"]);
	expect((await desk.says("gamma")).version).toBe("1.0.0");

	await restart({ gamma: "3.0.0" });
	expect(await desk.ended("update", "gamma")).toMatchObject({ version: "3.0.0", hasUpdate: false, state: "ready" });
	expect((await desk.says("gamma")).version).toBe("3.0.0");
	// A turn may still use the version before, so its files go when the next bridge starts.
	expect((await left("gamma")).toSorted()).toEqual(["1.0.0", "3.0.0", "current.json"]);
	await bridge.restart();
	await desk.until("the earlier version's removal", "gamma", () => !existsSync(join(folderOf("gamma"), "1.0.0")));
	expect((await desk.says("gamma")).version).toBe("3.0.0");
});

it("bytes that are not those of the registry's hash, a package without a hash, or with another than the catalogue's, are refused", async () => {
	await registry.fail("altered", "@fake/beta");
	expect((await desk.ended("install", "beta")).job).toMatchObject({ state: "failed", problem: { code: "INTEGRITY" } });
	await registry.fail("no-hash", "@fake/beta");
	expect((await desk.ended("install", "beta")).job).toMatchObject({
		state: "failed",
		stage: "resolving",
		problem: { code: "INTEGRITY", message: expect.stringContaining("no hash") },
	});
	await registry.mend();
	await restart({}, { beta: `sha512-${"A".repeat(86)}==` });
	expect((await desk.ended("install", "beta")).job).toMatchObject({
		stage: "resolving",
		problem: { code: "INTEGRITY", message: expect.stringContaining("catalogue") },
	});
	expect(await left("beta")).toEqual([]);
	await restart({}, { beta: hashes.get("beta") ?? "" });
	expect(await desk.ended("install", "beta")).toMatchObject({ state: "ready", version: "1.0.0" });
});

it("scripts run only where the catalogue says so, and only those of the agent's own package", async () => {
	expect(await desk.ended("install", "quiet")).toMatchObject({ state: "ready" });
	expect(await desk.ended("install", "scripted")).toMatchObject({ state: "ready" });
	expect((await readdir(home.path)).filter((name) => name.startsWith("ran-"))).toEqual(["ran-scripted"]);
});

it("a key is kept in a file of its owner alone, and given to its agent alone", async () => {
	const installed = await desk.ended("install", "signed");
	expect(installed).toMatchObject({ state: "needs_sign_in", test: { problem: { code: "PROVIDER_AUTH_REQUIRED" } } });
	expect(installed.signIn.map(({ methodId, kind }) => [methodId, kind])).toEqual([
		["browser", "agent"],
		["key", "variables"],
		["tty", "terminal"],
	]);
	expect(await refused(desk.signIn("signed", "key", { PATH: "/tmp" }))).toMatchObject({ data: { code: "INVALID_PARAMS" } });
	expect(await refused(desk.signIn("signed", "key", {}))).toMatchObject({ data: { code: "INVALID_PARAMS" } });
	expect(await refused(desk.signIn("signed", "tty"))).toMatchObject({
		data: { code: "AGENT_REFUSED", fix: expect.stringContaining("agents login signed --method tty") },
	});
	const key = "key-of-the-signed-agent";
	const signedIn = await desk.signIn("signed", "key", { FAKE_AGENT_KEY: ` ${key}\n` });
	expect(signedIn.signIn.find(({ methodId }) => methodId === "key")?.variables).toMatchObject([{ name: "FAKE_AGENT_KEY", isSet: true }]);
	expect(JSON.stringify(await desk.list())).not.toContain(key);
	expect((await stat(join(home.xworkmate, "agent-secrets.json"))).mode & 0o777).toBe(0o600);
	expect(await desk.call("test", "signed")).toMatchObject({ state: "ready" });
	expect(Object.keys((await desk.says("signed")).variables)).toContain("FAKE_AGENT_KEY");
	expect(Object.keys((await desk.says("alpha")).variables)).not.toContain("FAKE_AGENT_KEY");
	expect(bridge.output).not.toContain(key);
	await desk.signIn("signed", "key", { FAKE_AGENT_KEY: null });
	expect(await desk.call("test", "signed")).toMatchObject({ state: "needs_sign_in" });
});

it("an agent signs in by itself; one that never ends is cancelled", async () => {
	expect(await desk.ended("install", "endless")).toMatchObject({ state: "needs_sign_in" });
	expect((await desk.signIn("endless", "browser")).signingIn).toMatchObject({ methodId: "browser" });
	expect(await refused(desk.signIn("endless", "key", { FAKE_AGENT_KEY: "a-key" }))).toMatchObject({ data: { code: "AGENT_BUSY" } });
	const cancelled = await desk.call("cancel", "endless");
	expect(cancelled.signingIn).toBeUndefined();
	expect(cancelled.state).toBe("needs_sign_in");
	await desk.signIn("signed", "browser");
	expect(await desk.until("the sign-in", "signed", ({ state }) => state === "ready")).toMatchObject({ source: "installed" });
});

it.each([
	["absent", "PACKAGE_NOT_FOUND", "has no @fake/absent 1.0.0"],
	["dies", "AGENT_NOT_STARTED", "no licence found"],
	["bare", "NO_PROGRAM", "has no program"],
])("a package that is %s is refused with its reason, and leaves nothing", async (id, code, words) => {
	const { job, state } = await desk.ended("install", id);
	expect(state).toBe("missing");
	expect(job).toMatchObject({ state: "failed", problem: { code, message: expect.stringContaining(words), fix: expect.any(String) } });
	expect(await left(id)).toEqual([]);
});

it.each(["hangs", "asks", "floods"])("an agent that %s at its start is cancelled, and leaves nothing", async (id) => {
	await desk.call("install", id);
	await desk.until("its start", id, ({ job }) => job?.stage === "starting" || job?.state === "failed");
	const cancelled = await desk.call("cancel", id);
	expect(cancelled).toMatchObject({ state: "missing", job: { state: "cancelled", stage: "starting" } });
	expect(await left(id)).toEqual([]);
	expect((await stat(join(home.xworkmate, "bridge"))).isDirectory()).toBe(true);
});

it("a registry that never answers is cancelled, and one that refuses is said", async () => {
	await registry.fail("hang", "@fake/hangs");
	await desk.call("install", "hangs");
	expect(await desk.call("cancel", "hangs")).toMatchObject({ state: "missing", job: { state: "cancelled", stage: "resolving" } });
	await registry.fail("refuse", "@fake/hangs");
	expect((await desk.ended("install", "hangs")).job).toMatchObject({ state: "failed", problem: { code: "REGISTRY_REFUSED" } });
	await registry.mend();
	expect(await left("hangs")).toEqual([]);
});

it("a bridge that is killed in the middle leaves nothing of it, and what worked still works", async () => {
	await desk.call("install", "hangs");
	await desk.until("its start", "hangs", ({ job }) => job?.stage === "starting");
	await bridge.restart("SIGKILL");
	await desk.until("the sweep", "hangs", () => !existsSync(folderOf("hangs")) || readdirSync(folderOf("hangs")).length === 0);
	expect(await desk.agent("hangs")).toMatchObject({ state: "missing" });
	expect((await desk.says("alpha")).version).toBe("1.0.0");
});

it("what was installed is removed, with its key; what is not npm's is refused with its command", async () => {
	expect(await refused(desk.signIn("signed", "key", { FAKE_AGENT_KEY: "another-key" }))).toMatchObject({
		data: { code: "AGENT_NOT_FOUND" },
	});
	await desk.call("test", "signed");
	await desk.signIn("signed", "key", { FAKE_AGENT_KEY: "another-key" });
	expect(await desk.call("remove", "signed")).toMatchObject({ state: "missing" });
	expect(existsSync(folderOf("signed"))).toBe(false);
	expect(await readFile(join(home.xworkmate, "agent-secrets.json"), "utf8")).not.toContain("another-key");
	expect(await refused(desk.call("update", "signed"))).toMatchObject({ data: { code: "AGENT_REFUSED" } });
	expect(await refused(desk.call("install", "nobody"))).toMatchObject({ data: { code: "AGENT_NOT_FOUND" } });
});
