import type { Agent, ProviderId, SignInMethod } from "@xworkmate/contracts";
import { installWords } from "../../agents/install-words.ts";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import type { ProgramContext } from "../parts/command-parts.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { agentLines, signInLines } from "../words/agent-lines.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { sayTested, until } from "./agent-commands.ts";

export interface LoginFlags {
	readonly method?: string;
	/** The values of variables that are not secret. */
	readonly set?: Readonly<Record<string, string>>;
}

type LoginContext = Pick<ProgramContext, "onInterrupt" | "readSecret" | "inTerminal">;

/** Signs in to an agent with one of its methods, then tests the agent. */
export async function loginAgent(output: Output, agentId: ProviderId, flags: LoginFlags, context: LoginContext): Promise<ExitCode> {
	const { api } = output;
	// An agent reports its sign-in methods only once it has been started.
	const agent = await api.testAgent({ agentId });
	if (agent.state === "missing") {
		const how = agent.canInstall ? `Install it: ${commandLine(`agents install ${agentId}`)}` : installWords(agent);
		throw new AppError("INVALID_INPUT", `${agent.name} is not installed.`, how);
	}
	// Some sign-in methods are known only to the agent, so none can be chosen while the agent can't be started.
	if (agent.state === "failed" && agent.signIn.length === 0) return sayTested(output, agent);
	const way = wayOf(agent, flags.method);
	if (way === undefined) {
		print(output, agent, signInLines(agent));
		return exitCode.beforeRun;
	}
	const ended = await signIn(output, agent, way, flags, context);
	return ended ?? sayTested(output, await api.testAgent({ agentId }));
}

/**
 * Removes every variable that is stored for an agent.
 * @throws AppError INVALID_INPUT if the file that holds the variables can't be used, because what is stored is then unknown
 */
export async function logoutAgent(output: Output, agentId: ProviderId): Promise<ExitCode> {
	const { api } = output;
	// If the bridge does not know this agent, testing the agent fails with an error that says so.
	const { agents, problems } = await api.agents();
	const before = agents.find((one) => one.agentId === agentId) ?? (await api.testAgent({ agentId }));
	const unusable = problems.find(({ code }) => code.startsWith("AGENT_SECRETS_"));
	if (unusable !== undefined) throw new AppError("INVALID_INPUT", unusable.message, unusable.fix);
	const stored = before.signIn.filter(({ variables = [] }) => variables.some(({ isSet }) => isSet));
	let agent = before;
	for (const { methodId, variables = [] } of stored)
		agent = await api.signInAgent({ agentId, methodId, variables: Object.fromEntries(variables.map(({ name }) => [name, null])) });
	// The bridge doesn't list what it stored for an agent before providers.json defined it.
	const own = `${printable(before.name)} is your own agent from providers.json. To remove what XWorkmate stored for it earlier: ${commandLine(`agents remove ${agentId}`)}`;
	const nothing =
		"XWorkmate hasn't stored a sign-in for this agent. If the agent stores its own sign-in, sign out with the agent's own command.";
	print(output, agent, [
		stored.length === 0 ? (before.source === "defined" ? own : nothing) : `Removed the stored sign-in for ${printable(agent.name)}.`,
	]);
	return exitCode.success;
}

function wayOf({ name, signIn }: Agent, method: string | undefined): SignInMethod | undefined {
	if (signIn.length === 0)
		throw new AppError(
			"INVALID_INPUT",
			`${name} has no sign-in method that works here.`,
			"Sign in with the agent's own command, then test the agent.",
		);
	if (method === undefined) return signIn.length === 1 ? signIn[0] : undefined;
	const way = signIn.find(({ methodId }) => methodId === method);
	if (way !== undefined) return way;
	const known = signIn.map(({ methodId }) => methodId).join(", ");
	throw new AppError("INVALID_INPUT", `${name} has no sign-in method with that name.`, `Choose one of: ${known}.`);
}

/** Signs in. Returns an exit code if there is nothing to test afterwards, because the sign-in was cancelled or failed. */
async function signIn(
	output: Output,
	agent: Agent,
	way: SignInMethod,
	{ set = {} }: LoginFlags,
	context: LoginContext,
): Promise<ExitCode | undefined> {
	const { api } = output;
	const { agentId } = agent;
	const { methodId } = way;
	switch (way.kind) {
		case "variables":
			await api.signInAgent({ agentId, methodId, variables: await variablesOf(way, set, context) });
			return undefined;
		case "agent": {
			await api.signInAgent({ agentId, methodId });
			if (!output.json) output.console.note(`${printable(agent.name)} opens its own sign-in, usually in the browser. Ctrl+C stops it.`);
			let isCancelled: Promise<boolean> | undefined;
			const release = context.onInterrupt(() => {
				// A sign-in that had already ended is not cancelled. An earlier bridge doesn't report whether it was.
				isCancelled ??= api.cancelAgent({ agentId }).then(
					({ cancelled }) => cancelled !== false,
					() => false,
				);
			});
			const ended = await until(output, agentId, ({ signingIn }) => signingIn === undefined || signingIn.problem !== undefined).finally(
				release,
			);
			if ((await isCancelled) === true) {
				print(output, ended, ["The sign-in was cancelled."]);
				return exitCode.cancelled;
			}
			if (ended.signingIn === undefined) return undefined;
			// A sign-in that failed says nothing about the agent, whose state is shown as it was.
			print(output, ended, agentLines(ended));
			return exitCode.beforeRun;
		}
		case "terminal": {
			const { code } = await context.inTerminal(await api.agentTerminal({ agentId, methodId }));
			if (code === 0) return undefined;
			throw new AppError("INVALID_INPUT", `Signing in to ${agent.name} failed.`, "Try again, or choose another sign-in method.");
		}
	}
}

/** The user is asked for the required secrets; other values come from the command. */
async function variablesOf(
	{ variables = [], link }: SignInMethod,
	set: Readonly<Record<string, string>>,
	{ readSecret }: LoginContext,
): Promise<Readonly<Record<string, string>>> {
	const unknown = Object.keys(set).find((name) => !variables.some((one) => one.name === name && !one.secret));
	if (unknown !== undefined)
		throw new AppError(
			"INVALID_INPUT",
			`${unknown} can't be set here, because it is a secret or the sign-in method does not use it.`,
			"Leave out this variable.",
		);
	const lacking = variables.find(
		({ name, secret, optional, isSet, default: preset }) =>
			!secret && !optional && !isSet && preset === undefined && set[name] === undefined,
	);
	if (lacking !== undefined)
		throw new AppError("INVALID_INPUT", `"${lacking.label ?? lacking.name}" is missing.`, `Add --set ${lacking.name}=...`);
	const secrets: [string, string][] = [];
	for (const { name, label, secret, optional, isSet } of variables) {
		if (!secret || optional) continue;
		const lead = link === undefined ? undefined : `Create one at ${printable(link)}`;
		const given = (await readSecret(`${printable(label ?? name)} (hidden as you type): `, lead)).trim();
		// Pressing Enter keeps the stored value.
		if (given !== "" || !isSet) secrets.push([name, given]);
	}
	return { ...set, ...Object.fromEntries(secrets) };
}
