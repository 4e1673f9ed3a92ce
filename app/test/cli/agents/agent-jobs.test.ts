import { Agent } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { agentLines } from "../../../src/cli/words/agent-lines.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { runAgainst } from "../../support/command-scene.ts";

const at = "2026-01-01T10:03:00.000Z";
const when = localTime(at, Date.now());
const missing = Agent.parse({
	...{ agentId: "goose", name: "Goose", description: "", state: "missing", offered: "1.1.0", hasUpdate: false, canInstall: true },
	...{ command: "npm install -g goose", signIn: [] },
});
const found: Agent = { ...missing, state: "ready", source: "found" };
const installed: Agent = { ...missing, state: "ready", source: "installed", version: "1.0.0", hasUpdate: true, test: { at, tookMs: 1 } };
const problem = { code: "DISK_FULL", message: "There is no space left on the disk.", fix: "Free some space." };
const job = { version: "1.1.0", stage: "resolving", startedAt: at } as const;
const failed = { ...job, state: "failed", endedAt: at, problem } as const;

describe("agents install and update", () => {
	it.each([
		["install", missing, "Goose 1.1.0 was not installed."],
		["install", found, "Goose 1.1.0 was not installed."],
		["update", installed, "Goose 1.1.0 was not installed. 1.0.0 is still in use."],
	] as const)("say that an %s failed that had failed before the command could look", async (kind, before, words) => {
		const begun = async () => ({ ...before, job: { ...failed, kind } });
		const agents = async () => ({ agents: [await begun()], problems: [] });
		const { lines, code } = await runAgainst({ installAgent: begun, updateAgent: begun, agents }, ["agents", kind, "goose"]);
		const title = `  The ${kind === "update" ? "update to" : "installation of"} 1.1.0 failed ${when}:`;
		expect([code, lines]).toEqual([1, [words, title, "  There is no space left on the disk. (DISK_FULL)", "  Free some space."]]);
	});

	it("say that an agent is installed already, or up to date, whose earlier update failed", async () => {
		const begun = async () => ({ ...installed, job: { ...failed, kind: "update" as const } });
		const { lines, code } = await runAgainst({ installAgent: begun }, ["agents", "install", "goose"]);
		expect([code, lines[0]]).toEqual([0, "Goose 1.0.0 is already installed."]);
		const newest = async () => ({ ...installed, version: "1.1.0", hasUpdate: false });
		const update = await runAgainst({ updateAgent: newest }, ["agents", "update", "goose"]);
		expect([update.code, update.lines]).toEqual([0, ["Goose 1.1.0 is up to date: XWorkmate offers no newer version."]]);
	});

	it.each([
		["install", missing, "Installing Goose was interrupted. Nothing was changed."],
		["install", found, "Installing Goose was interrupted. Nothing was changed."],
		["update", installed, "Updating Goose was interrupted. 1.0.0 is still in use."],
	] as const)("say that an %s was interrupted of which the bridge knows nothing any more", async (kind, before, words) => {
		const begun = async () => ({ ...before, job: { ...job, kind, state: "running" } as const });
		const agents = async () => ({ agents: [before], problems: [] });
		const { lines, code } = await runAgainst({ installAgent: begun, updateAgent: begun, agents }, ["agents", kind, "goose"]);
		expect([code, lines[0]]).toEqual([1, words]);
	});

	it("test an agent that is installed and has no test, as after a restart of the bridge, and print the result", async () => {
		const begun = async () => ({ ...missing, job: { ...job, kind: "install", state: "running" } as const });
		const untested: Agent = { ...missing, state: "untested", source: "installed", version: "1.1.0" };
		let reads = 0;
		const agents = async () => {
			reads += 1;
			if (reads > 1) throw new Error("It is still waiting.");
			return { agents: [untested], problems: [] };
		};
		const testAgent = async () => ({ ...untested, state: "ready", test: { at, tookMs: 1 } }) as const;
		const { lines, code, error } = await runAgainst({ installAgent: begun, agents, testAgent }, ["agents", "install", "goose"]);
		expect(error).toBeUndefined();
		expect([code, lines]).toEqual([0, ["Goose 1.1.0 is installed.", `goose  Goose  ready, 1.1.0, tested ${when}`]]);
	});
});

it("agents says of a failed update and a failed sign-in when they failed, beside what is wrong with the agent itself", () => {
	const own = { code: "PROVIDER_AUTH_REQUIRED", message: "It isn't signed in.", fix: "Sign in." };
	const refused = { code: "PROVIDER_ERROR", message: "The sign-in was refused.", fix: "Try again." };
	const locked: Agent = {
		...{ ...installed, state: "needs_sign_in", hasUpdate: false, test: { at, tookMs: 1, problem: own } },
		...{ signingIn: { methodId: "key", startedAt: at, problem: refused }, job: { ...failed, kind: "update" } },
	};
	expect(agentLines(locked)).toEqual([
		`goose  Goose  needs a sign-in, 1.0.0, tested ${when}`,
		...["  It isn't signed in. (PROVIDER_AUTH_REQUIRED)", "  Sign in."],
		...[`  The sign-in that began ${when} failed:`, "  The sign-in was refused. (PROVIDER_ERROR)", "  Try again."],
		...[`  The update to 1.1.0 failed ${when}:`, "  There is no space left on the disk. (DISK_FULL)", "  Free some space."],
		"  Sign in: npm run -s xworkmate -- agents login goose",
	]);
});
