import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentTest, ProviderId, Timestamp, type Unavailable } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AgentMethods, type AgentMethodsParts } from "../../src/agents/agent-methods.ts";
import { AgentsFolder } from "../../src/agents/agents-folder.ts";
import { VariablesFile } from "../../src/agents/variables-file.ts";
import type { ManagedAgent } from "../../src/ports/agents/managed-agent.ts";

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "signed-in-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const agentId = ProviderId.parse("alpha");
const at = (minute: number) => Timestamp.parse(`2026-01-01T10:0${minute}:00.000Z`);
const locked: Unavailable = { code: "PROVIDER_AUTH_REQUIRED", message: "Not signed in.", fix: "Sign in." };
const refused: Unavailable = { code: "PROVIDER_ERROR", message: "The sign-in was refused.", fix: "Try again." };

/** The methods of one found agent, whose last test was at 10:00 and whose sign-in at 10:01 ends with `outcome`. */
function methods(outcome: Unavailable | undefined) {
	const now: { test: AgentTest | undefined } = { test: { at: at(0), tookMs: 1, problem: locked } };
	const tests = Promise.withResolvers<void>();
	const managed: ManagedAgent = {
		providerId: agentId,
		isWorking: false,
		offered: [{ id: "own", name: "By itself", kind: "agent" }],
		invocation: async () => ({ command: "/bin/alpha", args: [], env: {} }),
		probe: () => Promise.reject(new Error("unused")),
		authenticate: async () => outcome,
		endIdle: async () => undefined,
	};
	const texts = { label: "Alpha", description: "", version: "1.0.0", command: "alpha", install: "brew install alpha", login: "" };
	const entry = { providerId: agentId, ...texts, args: [], environment: {}, defaultEnvironment: {}, auth: [], resumes: false };
	const known = { entry, managed, doing: undefined as Promise<void> | undefined };
	const quiet = () => undefined;
	const begun = Promise.withResolvers<void>();
	const parts: Partial<AgentMethodsParts> = {
		...{ agents: [known], folder: new AgentsFolder(root, quiet), variables: new VariablesFile(join(root, "v.json"), quiet) },
		...{ answeredAt: quiet, failedRun: quiet, now: () => at(1), onChanged: quiet, onFault: quiet },
		lastTest: () => now.test,
		forgetTest: () => {
			now.test = undefined;
		},
		testProvider: async () => {
			begun.resolve();
			await tests.promise;
			now.test = { at: at(2), tookMs: 1 };
			return undefined as never;
		},
	};
	const service = new AgentMethods(parts as AgentMethodsParts);
	const shown = async () => (await service.list()).agents[0];
	return { service, known, shown, begun: begun.promise, endTest: tests.resolve };
}

it("an agent is not said to still need a sign-in while the sign-in that has succeeded is being tested", async () => {
	const { service, known, shown, begun, endTest } = methods(undefined);
	await service.signIn({ agentId, methodId: "own" });
	await begun;
	expect(await shown()).toMatchObject({ state: "untested" });
	endTest();
	await known.doing;
	expect(await shown()).toMatchObject({ state: "ready", test: { at: at(2) } });
});

it("the problem of a sign-in that failed is shown until the agent is tested again, not beside a later test", async () => {
	const { service, known, shown, endTest } = methods(refused);
	await service.signIn({ agentId, methodId: "own" });
	await known.doing;
	expect(await shown()).toMatchObject({ state: "needs_sign_in", signingIn: { methodId: "own", startedAt: at(1), problem: refused } });
	endTest();
	const tested = await service.test({ agentId });
	expect([tested.state, tested.signingIn]).toEqual(["ready", undefined]);
});
