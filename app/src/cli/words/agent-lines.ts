import type { Agent, Agents, ProviderCapability, SignInMethod, Unavailable } from "@xworkmate/contracts";
import { installWords } from "../../agents/install-words.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { commandLine } from "../../text/command-line.ts";
import { formatBytes } from "../../text/format-measure.ts";
import { localTime } from "../../text/local-time.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { agentState, jobProgress } from "./agent-state.ts";
import { terminalFix } from "./terminal-fix.ts";

/** How many lines of a log are shown. With `--json`, all are printed. */
const LOG_LINES = 15;

export function agentsLines({ agents, problems }: Agents): readonly string[] {
	return [
		...agents.flatMap(agentLines),
		...problems.flatMap(({ code, message, fix }) => [`${printable(message)} (${code})`, `  ${printable(terminalFix(code, fix))}`]),
	];
}

/** An agent on one line, and below it the possible next steps. */
export function agentLines(agent: Agent): readonly string[] {
	const { agentId, name, version, source, job, test, answeredAt, failedRun, newest, state } = agent;
	const what = [agentState(agent)];
	if (version !== undefined) what.push(version);
	if (source === "found") what.push("not installed by XWorkmate");
	if (source === "defined") what.push("from providers.json");
	if (job?.state === "running") what.push(jobProgress(job));
	else if (failedRun !== undefined && state !== "missing") what.push(failedRunWords(failedRun));
	else if (test !== undefined && state !== "missing") what.push(`tested ${localTime(test.at, Date.now())}`);
	else if (answeredAt !== undefined && state === "ready") what.push(answeredWords(answeredAt));
	const found = newest === undefined ? [] : [`  ${newestLine(newest, agent)}`];
	const problem = problemLines(agent);
	const next = nextLines(agent).map((line) => `  ${line}`);
	// The fix for a problem may be the same as the next step.
	return [printable(`${agentId}  ${name}  ${what.join(", ")}`), ...problem, ...found, ...next.filter((line) => !problem.includes(line))];
}

/** Whether an agent that is not in the catalogue is from providers.json. In an older bridge, which doesn't say, every such agent is. */
export function isDefined(provider: Pick<ProviderCapability, "isDefined">): boolean {
	return provider.isDefined ?? true;
}

/** An agent that is not in the catalogue, with its last test. `tookMs` is present if the agent was tested just now. */
export function providerLines(provider: ProviderCapability, tookMs?: number): readonly string[] {
	const { providerId, label, failedRun, lastTest } = provider;
	const problem = provider.unavailable ?? (failedRun ?? lastTest)?.problem;
	const state = problem !== undefined ? "FAILED" : tookMs !== undefined ? "ready" : definedState[testedState(provider)];
	const known = lastKnown(provider);
	const tested = tookMs !== undefined ? ", just tested" : known === undefined ? "" : `, ${known}`;
	const why = problem === undefined ? [] : reasonLines(problem);
	const test = state === definedState.untested ? [`  Test it: ${commandLine(`agents test ${providerId}`)}`] : [];
	const from = isDefined(provider) ? ", from providers.json" : "";
	return [printable(`${providerId}  ${label}  ${state}${from}${tested}`), ...why, ...test];
}

/** When the agent's state was last established: by a run that failed, by a test, or by an answer in a run. At most one of them is known. */
function lastKnown({ lastTest, failedRun, answeredAt }: ProviderCapability): string | undefined {
	if (failedRun !== undefined) return failedRunWords(failedRun);
	if (lastTest !== undefined) return `tested ${localTime(lastTest.at, Date.now())}`;
	return answeredAt === undefined ? undefined : answeredWords(answeredAt);
}

function answeredWords(at: string): string {
	return `answered in a run ${localTime(at, Date.now())}`;
}

function failedRunWords({ at }: NonNullable<Agent["failedRun"]>): string {
	return `a run failed ${localTime(at, Date.now())}`;
}

const definedState = { ready: "ready", untested: "found, not tested", failed: "FAILED" } as const;

/** What the registry reported as the newest version. XWorkmate installs only the version that its catalogue names. */
function newestLine({ at, version: found, problem }: NonNullable<Agent["newest"]>, { version, offered }: Agent): string {
	const asOf = `as of ${localTime(at, Date.now())}`;
	if (found === undefined)
		return `The last check for updates failed (${localTime(at, Date.now())}): ${oneLine(problem?.message ?? "", 600)} (${problem?.code ?? ""})`;
	if (found === version) return `This is the newest version in the registry, ${asOf}.`;
	const known = found === offered ? "" : ` XWorkmate installs ${printable(offered)}.`;
	return `The newest version in the registry is ${printable(found)}, ${asOf}.${known}`;
}

/** Why the agent does not work, and, with their times, why its last sign-in and its last installation or update failed. */
function problemLines(agent: Agent): readonly string[] {
	const { state, test, failedRun, signingIn } = agent;
	const own = state === "missing" ? undefined : (failedRun ?? test)?.problem;
	const signIn =
		signingIn?.problem === undefined
			? []
			: [`  The sign-in that began ${localTime(signingIn.startedAt, Date.now())} failed:`, ...reasonLines(signingIn.problem)];
	return [...(own === undefined ? [] : reasonLines(own)), ...signIn, ...failedJobLines(agent)];
}

/** When and why an installation or an update failed. The agent itself may work all the same. */
export function failedJobLines({ job }: Agent): readonly string[] {
	if (job?.problem === undefined) return [];
	const what = job.kind === "update" ? "update to" : "installation of";
	const when = localTime(job.endedAt ?? job.startedAt, Date.now());
	return [`  The ${what} ${printable(job.version)} failed ${when}:`, ...reasonLines(job.problem)];
}

function reasonLines(problem: Unavailable): readonly string[] {
	const fix = terminalFix(problem.code, problem.fix);
	return [`  ${oneLine(problem.message, 600)} (${problem.code})`, `  ${oneLine(fix, 600)}`];
}

/** The end of what npm wrote when an installation failed. */
export function logLines({ job }: Agent): readonly string[] {
	const lines = (job?.log ?? "").split("\n").filter((line) => line.trim() !== "");
	return lines.slice(-LOG_LINES).map((line) => `  | ${printable(line)}`);
}

/** The next steps that the user is likely to take. */
function nextLines(agent: Agent): readonly string[] {
	const { agentId, state, canInstall, hasUpdate, offered, bytes, job } = agent;
	if (job?.state === "running") return [`Cancel: ${commandLine(`agents cancel ${agentId}`)}`];
	if (state === "missing") {
		if (!canInstall) return [printable(installWords(agent))];
		const size = bytes === undefined ? "" : `  (about ${formatBytes(bytes)})`;
		return [`Install: ${commandLine(`agents install ${agentId}`)}${size}`];
	}
	const update = hasUpdate ? [`${offered} is available: ${commandLine(`agents update ${agentId}`)}`] : [];
	return state === "needs_sign_in" ? [...update, `Sign in: ${commandLine(`agents login ${agentId}`)}`] : update;
}

/** The ways to sign in, each with the command for it. */
export function signInLines({ agentId, name, signIn }: Agent): readonly string[] {
	return [printable(`${name} has ${signIn.length} sign-in methods:`), ...signIn.flatMap((way) => wayLines(agentId, way))];
}

function wayLines(agentId: string, { methodId, name, description, variables = [] }: SignInMethod): readonly string[] {
	const open = variables.filter(({ secret, optional, isSet }) => !secret && !optional && !isSet).map((one) => ` --set ${one.name}=...`);
	const id = /^[\w.:@/-]+$/.test(methodId) ? methodId : `'${methodId}'`;
	return [
		printable(`${name}${description === undefined ? "" : `: ${description}`}`),
		`  ${commandLine(`agents login ${agentId} --method ${printable(id)}${open.join("")}`)}`,
	];
}
