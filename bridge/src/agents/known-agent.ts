import {
	type Agent,
	type AgentState,
	type AgentTest,
	type FailedRun,
	omitUndefined,
	type ProviderId,
	type Timestamp,
	type Unavailable,
} from "@xworkmate/contracts";
import type { ManagedAgent } from "../ports/agents/managed-agent.ts";
import { type CatalogueEntry, installFixOf } from "../providers/catalogue/catalogue.ts";
import type { Job } from "./agent-job.ts";
import type { AgentsFolder } from "./agents-folder.ts";
import { type KnownSignIn, shownSignIn, signInsOf } from "./sign-in-methods.ts";
import type { VariablesFile } from "./variables-file.ts";

/** A sign-in that the agent handles itself. */
export interface SigningIn {
	readonly methodId: string;
	readonly startedAt: Timestamp;
	/** When it failed. */
	readonly endedAt?: Timestamp;
	readonly problem?: Unavailable;
	readonly cancel?: () => void;
}

/** An agent of the catalogue, with what has happened to it since the bridge started. */
export interface KnownAgent {
	readonly entry: CatalogueEntry;
	/** The agent as XWorkmate installs it. Undefined if providers.json defines an agent with this id. */
	readonly managed: ManagedAgent | undefined;
	job?: Job | undefined;
	/** Settles when the operation under way has ended. */
	doing?: Promise<void> | undefined;
	/** What the registry said about the newest version. */
	newest?: Agent["newest"] | undefined;
	signingIn?: SigningIn | undefined;
}

export function signInsOfAgent({ entry, managed }: KnownAgent, variables: VariablesFile): readonly KnownSignIn[] {
	return managed === undefined ? [] : signInsOf(entry, managed.offered, variables.of(entry.providerId));
}

/** An agent in its current state, as clients see it. */
export async function shownAgent(
	known: KnownAgent,
	{
		folder,
		variables,
		lastTest,
		answeredAt: answered,
		failedRun: failed,
	}: {
		readonly folder: AgentsFolder;
		readonly variables: VariablesFile;
		lastTest(agentId: ProviderId): AgentTest | undefined;
		answeredAt(agentId: ProviderId): Timestamp | undefined;
		failedRun(agentId: ProviderId): FailedRun | undefined;
	},
): Promise<Agent> {
	const { entry, managed, job, newest } = known;
	const { providerId: agentId, label: name, description, version: offered, npm, install: command, bytes } = entry;
	const installFix = command === undefined ? installFixOf(entry) : undefined;
	const installed = (await folder.find(agentId)) === undefined ? undefined : folder.get(agentId);
	const isFound = installed === undefined && (await managed?.invocation()) !== undefined;
	const source: Agent["source"] = managed === undefined ? "defined" : installed !== undefined ? "installed" : isFound ? "found" : undefined;
	const stored = variables.of(agentId);
	const test = lastTest(agentId);
	const answeredAt = answered(agentId);
	const failedRun = failed(agentId);
	const signingIn = isOutdated(known.signingIn, [test?.at, answeredAt, failedRun?.at]) ? undefined : known.signingIn;
	return {
		agentId,
		name,
		description,
		state: stateOf(source !== undefined, failedRun ?? test, answeredAt),
		offered,
		hasUpdate: installed !== undefined && installed.version !== offered,
		canInstall: npm !== undefined && managed !== undefined,
		signIn: signInsOfAgent(known, variables).map((way) => shownSignIn(agentId, way, stored)),
		...omitUndefined({
			command,
			installFix,
			source,
			bytes,
			test,
			answeredAt,
			failedRun,
			newest,
			version: installed?.version,
			installedAt: installed?.installedAt,
			job: job?.shown,
		}),
		...(signingIn && {
			signingIn: { methodId: signingIn.methodId, startedAt: signingIn.startedAt, ...omitUndefined({ problem: signingIn.problem }) },
		}),
	};
}

/** True for a sign-in that failed before the agent was last tested or used in a run, because its problem may no longer exist. */
function isOutdated(signingIn: SigningIn | undefined, laterResults: readonly (Timestamp | undefined)[]): boolean {
	const endedAt = signingIn?.endedAt;
	return endedAt !== undefined && laterResults.some((at) => at !== undefined && Date.parse(at) > Date.parse(endedAt));
}

function stateOf(isThere: boolean, test: Pick<AgentTest, "problem"> | undefined, answeredAt: Timestamp | undefined): AgentState {
	if (!isThere) return "missing";
	if (test === undefined) return answeredAt === undefined ? "untested" : "ready";
	if (test.problem === undefined) return "ready";
	return test.problem.code === "PROVIDER_AUTH_REQUIRED" ? "needs_sign_in" : "failed";
}
