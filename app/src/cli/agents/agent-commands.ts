import { setTimeout as delay } from "node:timers/promises";
import { type Agent, type ProviderCapability, type ProviderId, providersFile } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { agentsPageWords } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import type { ProgramContext } from "../parts/command-parts.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { agentLines, agentsLines, failedJobLines, isDefined, logLines, providerLines } from "../words/agent-lines.ts";
import { agentState, jobProgress } from "../words/agent-state.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

/** How often the bridge is polled for progress. */
const ASK_EVERY_MS = 500;

export async function listAgents(output: Output): Promise<ExitCode> {
	const agents = await output.api.agents();
	const providers = await otherAgents(output, agents.agents);
	const others = Object.groupBy(providers, (provider) => (isDefined(provider) ? "defined" : "others"));
	print(output, { ...agents, ...others }, [...agentsLines(agents), ...providers.flatMap((provider) => providerLines(provider))]);
	return agents.problems.length === 0 ? exitCode.success : exitCode.beforeRun;
}

type Interruptible = Pick<ProgramContext, "onInterrupt">;

/** Installs an agent, and waits until the new version is in use or the installation has ended for another reason. */
export async function installAgent(output: Output, agentId: ProviderId, context: Interruptible): Promise<ExitCode> {
	const { api } = output;
	const begun = await api.installAgent({ agentId });
	// An installation that failed at once has already ended. An installed agent is left as it is, whatever an earlier update came to.
	if (begun.job?.state === "running" || begun.source !== "installed") return followed(output, begun, context);
	print(output, begun, [`${printable(begun.name)} ${begun.version ?? ""} is already installed.`, ...agentLines(begun)]);
	return exitCode.success;
}

/** Asks the registry for newer versions of the installed agents. Exit code 1 if the registry could not be queried for one of them. */
export async function checkAgents(output: Output): Promise<ExitCode> {
	const { agents } = await output.api.checkAgents();
	const installed = agents.filter(({ source }) => source === "installed");
	print(
		output,
		installed,
		installed.length === 0 ? ["XWorkmate has not installed any agents, so there is nothing to check."] : installed.flatMap(agentLines),
	);
	return installed.some(({ newest }) => newest?.problem !== undefined) ? exitCode.beforeRun : exitCode.success;
}

/** Updates one agent; without an id, lists the agents that have an update. */
export async function updateAgent(output: Output, agentId: ProviderId | undefined, context: Interruptible): Promise<ExitCode> {
	const { api } = output;
	if (agentId === undefined) {
		const { agents } = await api.agents();
		const older = agents.filter(({ hasUpdate }) => hasUpdate);
		const none = agents.some(({ source }) => source === "installed")
			? "Every installed agent has the version that XWorkmate offers."
			: "XWorkmate has not installed any agents, so there is nothing to update.";
		print(output, older, older.length === 0 ? [none] : older.flatMap(agentLines));
		return exitCode.success;
	}
	const begun = await api.updateAgent({ agentId });
	if (begun.job?.state === "running" || begun.hasUpdate) return followed(output, begun, context);
	print(output, begun, [
		`${[printable(begun.name), begun.version].filter(Boolean).join(" ")} is up to date: XWorkmate offers no newer version.`,
	]);
	return exitCode.success;
}

export async function cancelAgent(output: Output, agentId: ProviderId): Promise<void> {
	const agent = await output.api.cancelAgent({ agentId });
	const none = `${printable(agent.name)} is not being installed, updated or signed in to, so there is nothing to cancel.`;
	print(output, agent, [...(agent.cancelled === false ? [none] : []), ...agentLines(agent)]);
}

export async function removeAgent(output: Output, agentId: ProviderId): Promise<void> {
	const agent = await output.api.removeAgent({ agentId });
	const name = printable(agent.name);
	const words =
		agent.removed === false
			? fill(agentsPageWords.notRemoved, { agent: name })
			: `Removed everything that XWorkmate had installed and stored for ${name}.`;
	print(output, agent, [words, ...agentLines(agent)]);
}

/** Tests one agent, or all available agents. */
export async function testAgents(output: Output, agentId: ProviderId | undefined): Promise<ExitCode> {
	const { agents } = await output.api.agents();
	const chosen = agents.filter((agent) => (agentId === undefined ? agent.state !== "missing" : agent.agentId === agentId));
	const others = (await otherAgents(output, agents)).filter(({ providerId }) => agentId === undefined || providerId === agentId);
	// For an agent that the bridge does not know, this call fails with an error that says so.
	if (agentId !== undefined && chosen.length + others.length === 0) await output.api.testAgent({ agentId });
	if (chosen.length + others.length === 0) {
		print(output, [], [`There is no agent to test. Install one: ${commandLine("agents install goose")}`]);
		return exitCode.beforeRun;
	}
	let code: ExitCode = exitCode.success;
	for (const agent of chosen) code = sayTested(output, await output.api.testAgent({ agentId: agent.agentId })) || code;
	for (const { providerId } of others) {
		const tested = await output.api.testProvider({ providerId });
		print(output, tested, providerLines(tested.provider, tested.tookMs));
		if (!tested.provider.available) code = exitCode.beforeRun;
	}
	return code;
}

/** The agents that are neither in the catalogue nor the bridge's own: those of providers.json, and those with a protocol of their own. */
async function otherAgents({ api }: Output, known: readonly Agent[]): Promise<readonly ProviderCapability[]> {
	const ids = new Set<string>([...known.map((agent) => agent.agentId), providersFile]);
	const { providers } = await api.capabilities();
	return providers.filter(({ providerId, target, own }) => target === "agent" && own === undefined && !ids.has(providerId));
}

/** Prints the result of a test. */
export function sayTested(output: Output, agent: Agent): ExitCode {
	print(output, agent, agentLines(agent));
	return agent.state === "ready" ? exitCode.success : exitCode.beforeRun;
}

async function followed(output: Output, begun: Agent, { onInterrupt }: Interruptible): Promise<ExitCode> {
	const { api, console } = output;
	const { agentId, offered } = begun;
	const wanted = begun.job?.version ?? offered;
	const name = printable(begun.name);
	const release = onInterrupt(() => {
		// A failed call is ignored, because the loop below reads how the job continues.
		api.cancelAgent({ agentId }).catch(() => undefined);
	});
	try {
		let said = "";
		const agent = await until(output, agentId, (now) => {
			const progress = now.job?.state === "running" ? jobProgress(now.job) : agentState(now);
			if (progress !== said && !output.json) console.note(`${name} ${offered}: ${progress}`);
			said = progress;
			return now.job?.state !== "running";
		});
		// If an update fails or is cancelled, the previous version stays in use.
		const version = agent.job?.kind === "update" ? agent.version : undefined;
		const used = version === undefined ? "" : ` ${printable(version)} is still in use.`;
		switch (agent.job?.state) {
			case "cancelled":
				print(output, agent, [`Cancelled. ${name} ${offered} was not installed${used === "" ? ", and nothing was kept." : `.${used}`}`]);
				return exitCode.cancelled;
			case "failed":
				print(output, agent, [`${name} ${offered} was not installed.${used}`, ...failedJobLines(agent), ...logLines(agent)]);
				return exitCode.beforeRun;
			default: {
				if (agent.version !== wanted) {
					print(output, agent, [...interruptedWords(begun, agent), ...agentLines(agent)]);
					return exitCode.beforeRun;
				}
				// The bridge also tests an installed agent, and this call shares that test. A bridge that was restarted since has no test.
				const tested = agent.test === undefined ? await api.testAgent({ agentId }) : agent;
				print(output, tested, [`${name} ${tested.version ?? ""} is installed.`, ...agentLines(tested)]);
				return exitCode.success;
			}
		}
	} finally {
		release();
	}
}

/** An installation ended without a result, because the bridge was restarted. */
function interruptedWords({ version: before, job }: Agent, { name, version = "" }: Agent): readonly string[] {
	if ((before ?? "") !== version) return [];
	return [fill(agentsPageWords.interrupted[job?.kind ?? "install"], { agent: printable(name), version: printable(version) })];
}

/** Waits until `fits` accepts the agent's state, and returns the agent. */
export async function until({ api }: Output, agentId: ProviderId, fits: (agent: Agent) => boolean): Promise<Agent> {
	for (;;) {
		const agent = (await api.agents()).agents.find((one) => one.agentId === agentId);
		if (agent === undefined)
			throw new AppError("INVALID_INPUT", `The agent ${agentId} no longer exists.`, `List the agents: ${commandLine("agents list")}`);
		if (fits(agent)) return agent;
		await delay(ASK_EVERY_MS);
	}
}
