import { type Agent, type Agents, type ProviderCapability, ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { listAgents, testAgents } from "../../../src/cli/agents/agent-commands.ts";
import { logoutAgent } from "../../../src/cli/agents/agent-login.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: false };
const provider = (id: string, more: Partial<ProviderCapability> = {}): ProviderCapability => ({
	...{ providerId: ProviderId.parse(id), label: id, target: "agent", available: true, features },
	...more,
});
const unavailable = { code: "PROVIDER_EXITED", message: "broken exited with code 1 while it was starting.", fix: "See its log." };

type Known = Readonly<Record<string, Pick<ProviderCapability, "lastTest" | "failedRun" | "answeredAt">>>;

/** A bridge, by default an older one, whose providers.json has an agent that works, and one that does not. `more`: other providers. */
function commands(known: Known = {}, ...more: readonly ProviderCapability[]) {
	const console = new RecordingConsole();
	const own = ["liar", "broken"].map((id) => provider(id, known[id]));
	const providers = [provider("script", { own: "programs" }), ...own, ...more];
	const api: Pick<AppApi, "agents" | "capabilities" | "testProvider" | "testAgent"> = {
		agents: async (): Promise<Agents> => ({ agents: [], problems: [] }),
		capabilities: async () => ({ ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers }),
		testProvider: async ({ providerId }) => ({
			provider: {
				...(providers.find((one) => one.providerId === providerId) ?? provider(providerId)),
				...(providerId === "broken" && { available: false, unavailable }),
			},
			tookMs: 7,
		}),
		testAgent: () => Promise.reject(new Error("There is no such agent.")),
	};
	return { console, output: { api: api as AppApi, console, json: false } };
}

it("agents lists the agents of providers.json, and never as ready before they were tested", async () => {
	const { console, output } = commands();
	expect(await listAgents(output)).toBe(0);
	expect(console.lines).toEqual([
		"liar  liar  found, not tested, from providers.json",
		"  Test it: npm run -s xworkmate -- agents test liar",
		"broken  broken  found, not tested, from providers.json",
		"  Test it: npm run -s xworkmate -- agents test broken",
	]);
});

it("agents shows the kept result of the last test of an agent of providers.json, with its time", async () => {
	const at = new Date().toISOString();
	const { console, output } = commands({
		liar: { lastTest: { at, tookMs: 7 } },
		broken: { lastTest: { at, tookMs: 7, problem: unavailable } },
	});
	expect(await listAgents(output)).toBe(0);
	expect(console.lines).toEqual([
		`liar  liar  ready, from providers.json, tested ${localTime(at, Date.now())}`,
		`broken  broken  FAILED, from providers.json, tested ${localTime(at, Date.now())}`,
		"  broken exited with code 1 while it was starting. (PROVIDER_EXITED)",
		"  See its log.",
	]);
});

it("agents shows when and why the last run of an agent of providers.json failed", async () => {
	const at = new Date().toISOString();
	const { console, output } = commands({ broken: { failedRun: { at, problem: unavailable } } });
	expect(await listAgents(output)).toBe(0);
	expect(console.lines.slice(2)).toEqual([
		`broken  broken  FAILED, from providers.json, a run failed ${localTime(at, Date.now())}`,
		"  broken exited with code 1 while it was starting. (PROVIDER_EXITED)",
		"  See its log.",
	]);
});

it("agents test tests an agent of providers.json, alone and with all, and fails with one that doesn't work", async () => {
	const { console, output } = commands();
	expect(await testAgents(output, ProviderId.parse("liar"))).toBe(0);
	expect(console.lines).toEqual(["liar  liar  ready, from providers.json, just tested"]);
	expect(await testAgents(output, undefined)).toBe(1);
	expect(console.lines.slice(2)).toEqual([
		"broken  broken  FAILED, from providers.json, just tested",
		"  broken exited with code 1 while it was starting. (PROVIDER_EXITED)",
		"  See its log.",
	]);
	await expect(testAgents(output, ProviderId.parse("nobody"))).rejects.toThrow("There is no such agent.");
});

it("agents lists and tests an agent with a protocol of its own, and doesn't take it for one of providers.json", async () => {
	const { console, output } = commands({}, provider("other", { isDefined: false }));
	const json = { ...output, json: true };
	expect(await listAgents(json)).toBe(0);
	expect(JSON.parse(console.lines[0] ?? "")).toMatchObject({
		defined: [{ providerId: "liar" }, { providerId: "broken" }],
		others: [{ providerId: "other" }],
	});
	expect(await listAgents(output)).toBe(0);
	expect(console.lines.slice(-2)).toEqual(["other  other  found, not tested", "  Test it: npm run -s xworkmate -- agents test other"]);
	expect(await testAgents(output, ProviderId.parse("other"))).toBe(0);
	expect(console.lines.at(-1)).toBe("other  other  ready, just tested");
});

it("agents logout refuses an agent that does not exist, and prints an agent as it is after the removal", async () => {
	const { output } = commands();
	await expect(logoutAgent(output, ProviderId.parse("gose"))).rejects.toThrow("There is no such agent.");
	const signedIn = (isSet: boolean): Agent => ({
		...{ agentId: ProviderId.parse("goose"), name: "goose", description: "", source: "installed", state: "ready" },
		...{ offered: "1.0.0", hasUpdate: false, canInstall: true, command: "npm install goose" },
		signIn: [{ methodId: "key", kind: "variables", name: "Key", variables: [{ name: "KEY", secret: true, optional: false, isSet }] }],
	});
	const console = new RecordingConsole();
	const api: Pick<AppApi, "agents" | "signInAgent"> = {
		agents: async (): Promise<Agents> => ({ agents: [signedIn(true)], problems: [] }),
		signInAgent: async ({ variables }) => signedIn(variables?.KEY !== null),
	};
	expect(await logoutAgent({ api: api as AppApi, console, json: true }, ProviderId.parse("goose"))).toBe(0);
	expect(console.lines.map((line): unknown => JSON.parse(line))).toEqual([signedIn(false)]);
});

it("agents says as of when an agent that was never tested is ready: when it answered in a run", async () => {
	const at = new Date().toISOString();
	const { console, output } = commands({ liar: { answeredAt: at } });
	expect(await listAgents(output)).toBe(0);
	expect(console.lines[0]).toBe(`liar  liar  ready, from providers.json, answered in a run ${localTime(at, Date.now())}`);
});
