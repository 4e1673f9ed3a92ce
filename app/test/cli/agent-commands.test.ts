import { Agent, type Agents } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { agentLines } from "../../src/cli/words/agent-lines.ts";
import { localTime } from "../../src/text/local-time.ts";
import { runAgainst } from "../support/command-scene.ts";

const goose = Agent.parse({
	...{ agentId: "goose", name: "Goose", description: "", state: "missing", offered: "1.0.0", hasUpdate: false, canInstall: true },
	...{ command: "npm install -g goose", signIn: [] },
});
const installed: Agent = { ...goose, state: "ready", source: "installed", version: "1.0.0" };
const found: Agent = { ...goose, state: "ready", source: "found" };

describe("what was not done is not said to be done", () => {
	it.each([
		[true, "Removed everything that XWorkmate had installed and stored for Goose."],
		[false, "XWorkmate has not installed Goose and does not store keys for it, so nothing was removed."],
	])("agents remove, where something was there: %s", async (removed, words) => {
		const { lines, code } = await runAgainst({ removeAgent: async () => ({ ...goose, removed }) }, ["agents", "remove", "goose", "--yes"]);
		expect([code, lines[0]]).toEqual([0, words]);
	});

	it.each([
		[true, "goose  Goose  ready, 1.0.0"],
		[false, "Goose is not being installed, updated or signed in to, so there is nothing to cancel."],
	])("agents cancel, where something was under way: %s", async (cancelled, words) => {
		const { lines, code } = await runAgainst({ cancelAgent: async () => ({ ...installed, cancelled }) }, ["agents", "cancel", "goose"]);
		expect([code, lines[0]]).toEqual([0, words]);
	});

	it.each([
		[[installed], "Every installed agent has the version that XWorkmate offers."],
		[[found], "XWorkmate has not installed any agents, so there is nothing to update."],
		[[goose], "XWorkmate has not installed any agents, so there is nothing to update."],
	])("agents update", async (agents, words) => {
		const { lines, code } = await runAgainst({ agents: async () => ({ agents, problems: [] }) }, ["agents", "update"]);
		expect([code, lines]).toEqual([0, [words]]);
	});

	it.each([
		["update", "cancelled", 5, "Cancelled. Goose 1.1.0 was not installed. 1.0.0 is still in use."],
		["update", "failed", 1, "Goose 1.1.0 was not installed. 1.0.0 is still in use."],
		["install", "cancelled", 5, "Cancelled. Goose 1.1.0 was not installed, and nothing was kept."],
		["install", "failed", 1, "Goose 1.1.0 was not installed."],
	] as const)("an %s that is %s says which version is used, if there is one", async (kind, state, ends, words) => {
		const before: Agent = { ...(kind === "update" ? installed : goose), offered: "1.1.0" };
		const job = { kind, version: "1.1.0", stage: "starting", startedAt: "2026-01-01T10:03:00.000Z" } as const;
		const begun = async () => ({ ...before, job: { ...job, state: "running" } as const });
		const agents = async () => ({ agents: [{ ...before, job: { ...job, state } }], problems: [] });
		const { lines, code } = await runAgainst({ installAgent: begun, updateAgent: begun, agents }, ["agents", kind, "goose"]);
		expect([code, lines[0]]).toEqual([ends, words]);
	});
});

it.each([["--method", "key"], []])("agents login of an agent that can't be started says why: %j", async (...flags) => {
	const problem = { code: "PROVIDER_EXITED", message: "goose exited with code 1.", fix: "See its log." };
	const failed: Agent = { ...installed, state: "failed", test: { at: "2026-01-01T10:03:00.000Z", tookMs: 7, problem } };
	const { lines, code, error } = await runAgainst({ testAgent: async () => failed }, ["agents", "login", "goose", ...flags]);
	expect(error).toBeUndefined();
	expect([code, lines]).toEqual([1, expect.arrayContaining(["  goose exited with code 1. (PROVIDER_EXITED)", "  See its log."])]);
});

it("agents login of an agent that works and names no method says so", async () => {
	const { error } = await runAgainst({ testAgent: async () => installed }, ["agents", "login", "goose"]);
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: "Goose has no sign-in method that works here." });
});

it.each([
	[{ command: "brew install goose" }, "Install it in a terminal: brew install goose"],
	[{ command: undefined, installFix: "See Goose's own website." }, "See Goose's own website."],
])("an agent that XWorkmate can't install has its own words for how to install it: %j", async (how, words) => {
	const agent = Agent.parse({ ...goose, canInstall: false, ...how });
	const { error } = await runAgainst({ testAgent: async () => agent }, ["agents", "login", "goose"]);
	expect(error).toMatchObject({ fix: words });
	expect(agentLines(agent)).toContain(`  ${words}`);
});

it("agents says of an agent of the catalogue when its last run failed, in place of a test, and why", () => {
	const at = new Date().toISOString();
	const problem = { code: "PROVIDER_EXITED", message: "It could not be started.", fix: "Test it." };
	expect(agentLines({ ...installed, state: "failed", failedRun: { at, problem } })).toEqual([
		`goose  Goose  FAILED, 1.0.0, its last run failed ${localTime(at, Date.now())}`,
		"  It could not be started. (PROVIDER_EXITED)",
		"  Test it.",
	]);
});

describe("agents logout does not say that nothing is stored", () => {
	const logout = (agents: Partial<Agents>) =>
		runAgainst({ agents: async () => ({ agents: [installed], problems: [], ...agents }) }, ["agents", "logout", "goose"]);

	it("while the file with what is stored can't be used", async () => {
		const problem = { code: "AGENT_SECRETS_EXPOSED", message: "Other users can open the file.", fix: "Make it private." };
		const { lines, error } = await logout({ problems: [problem] });
		expect([lines, error]).toEqual([[], expect.objectContaining({ message: problem.message, fix: problem.fix })]);
	});

	it("of an agent that providers.json defines now, of which the bridge doesn't list it", async () => {
		const { lines } = await logout({ agents: [{ ...installed, source: "defined" }] });
		expect(lines).toEqual([
			"Goose is your own agent from providers.json. To remove what XWorkmate stored for it earlier: npm run -s xworkmate -- agents remove goose",
		]);
	});
});
