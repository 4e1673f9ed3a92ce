import { Agent, type Agents, ProviderId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { loginAgent } from "../../../src/cli/agents/agent-login.ts";
import { agentLines } from "../../../src/cli/words/agent-lines.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

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

describe("agents login of an agent that opens its own sign-in", () => {
	const startedAt = "2026-01-01T10:03:00.000Z";
	const offering: Agent = { ...installed, signIn: [{ methodId: "browser", kind: "agent", name: "Browser" }] };
	const problem = { code: "AGENT_SIGN_IN_FAILED", message: "It was refused.", fix: "Try again." };
	const refused: Agent = { ...offering, signingIn: { methodId: "browser", startedAt, problem } };

	/** Signs in. `cancelled`: what the bridge says after a Ctrl+C; undefined if the user doesn't press it. */
	const login = async (ended: Agent, cancelled?: boolean, json = false) => {
		const console = new RecordingConsole();
		const agent = async () => offering;
		const cancelAgent = async () => ({ ...ended, ...(cancelled !== undefined && { cancelled }) });
		const api = { testAgent: agent, signInAgent: agent, agents: async () => ({ agents: [ended], problems: [] }), cancelAgent };
		const absent = () => Promise.reject(new Error("not part of this"));
		const onInterrupt = (interrupt: (() => void) | undefined) => {
			if (cancelled !== undefined) interrupt?.();
			return () => undefined;
		};
		const context = { onInterrupt, readSecret: absent, inTerminal: absent };
		const code = await loginAgent({ api: api as Partial<AppApi> as AppApi, console, json }, ProviderId.parse("goose"), {}, context);
		return { code, lines: console.lines };
	};

	it("says of one that failed when and why, and still shows an agent that works as ready", async () => {
		expect(await login(refused)).toEqual({
			code: 1,
			lines: [
				"goose  Goose  ready, 1.0.0",
				`  The sign-in that began ${localTime(startedAt, Date.now())} failed:`,
				"  It was refused. (AGENT_SIGN_IN_FAILED)",
				"  Try again.",
			],
		});
		expect((await login(refused, undefined, true)).lines.map((line): unknown => JSON.parse(line))).toEqual([refused]);
	});

	it("says that Ctrl+C cancelled it, unless it had already ended", async () => {
		expect(await login(offering, true)).toEqual({ code: 5, lines: ["The sign-in was cancelled."] });
		expect(await login(offering, false)).toEqual({ code: 0, lines: ["goose  Goose  ready, 1.0.0"] });
		expect((await login(refused, false)).code).toBe(1);
	});
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
		`goose  Goose  FAILED, 1.0.0, a run failed ${localTime(at, Date.now())}`,
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

it("agents list says as of when an agent is ready: after its last test, else after it answered in a run", () => {
	const [at, time] = ["2026-01-01T10:03:00.000Z", localTime("2026-01-01T10:03:00.000Z", Date.now())];
	expect(agentLines({ ...installed, answeredAt: at })[0]).toBe(`goose  Goose  ready, 1.0.0, answered in a run ${time}`);
	expect(agentLines({ ...installed, test: { at, tookMs: 7 } })[0]).toBe(`goose  Goose  ready, 1.0.0, tested ${time}`);
});
