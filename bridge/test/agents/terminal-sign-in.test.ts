import { ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { AgentMethods, type AgentMethodsParts } from "../../src/agents/agent-methods.ts";
import type { ManagedAgent } from "../../src/ports/agents/managed-agent.ts";
import type { CatalogueEntry } from "../../src/providers/catalogue/catalogue.ts";

const agentId = ProviderId.parse("alpha");
const npm = { name: "@fake/alpha", version: "1.0.0", needsScripts: false };

/** The methods of one agent, which offers one way to sign in in a terminal and one to be done by the agent itself. */
function methods(invocation: Awaited<ReturnType<ManagedAgent["invocation"]>>, more: Partial<CatalogueEntry> = {}) {
	const managed: ManagedAgent = {
		providerId: agentId,
		isWorking: false,
		offered: [
			{ id: "shell", name: "In a terminal", kind: "terminal", args: ["--login"] },
			{ id: "own", name: "By itself", kind: "agent" },
		],
		invocation: async () => invocation,
		probe: () => Promise.reject(new Error("unused")),
		authenticate: async () => undefined,
		endIdle: async () => undefined,
	};
	const texts = { label: "Alpha", description: "", version: "1.0.0", command: "alpha", install: "brew install alpha", login: "" };
	const entry = { providerId: agentId, ...texts, args: [], environment: {}, defaultEnvironment: {}, auth: [], resumes: false, ...more };
	const parts: Partial<AgentMethodsParts> = { agents: [{ entry, managed }], variables: { of: () => ({}) } as never };
	return new AgentMethods(parts as AgentMethodsParts);
}

it("the sign-in of an agent that is gone says that it is not installed, and how to install it", async () => {
	const call = { agentId, methodId: "shell" };
	await expect(methods({ command: "/bin/alpha", args: ["acp"], env: {} }).terminal(call)).resolves.toMatchObject({
		command: "/bin/alpha",
		args: ["acp", "--login"],
	});
	const detail = "Alpha is not installed.";
	await expect(methods(undefined).terminal(call)).rejects.toMatchObject({ detail, fix: "Install it in a terminal: brew install alpha" });
	const fix = "Install it: npm run -s xworkmate -- agents install alpha";
	await expect(methods(undefined, { npm }).terminal(call)).rejects.toMatchObject({ detail, fix });
	await expect(methods(undefined).terminal({ agentId, methodId: "own" })).rejects.toMatchObject({
		detail: "Alpha doesn't offer this sign-in method in a terminal.",
	});
});
