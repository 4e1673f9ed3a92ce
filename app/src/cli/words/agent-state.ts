import type { Agent, AgentStage } from "@xworkmate/contracts";
import { formatBytes } from "../../text/format-measure.ts";

const stages: Readonly<Record<AgentStage, string>> = {
	resolving: "checking the registry",
	downloading: "downloading",
	scripts: "running install scripts",
	starting: "starting the agent",
};

/** An agent's state, in a few words. */
export function agentState({ state, source, job, signingIn }: Agent): string {
	if (job?.state === "running") return job.kind === "update" ? "updating" : "installing";
	if (signingIn !== undefined && signingIn.problem === undefined) return "signing in";
	switch (state) {
		case "missing":
			return "not installed";
		case "untested":
			return source === "found" ? "found, not tested" : "not tested";
		case "ready":
			return "ready";
		case "needs_sign_in":
			return "needs a sign-in";
		case "failed":
			return "FAILED";
	}
}

/** The progress of an installation: what is being done, and how much has arrived. */
export function jobProgress({ stage, packages, bytes }: NonNullable<Agent["job"]>): string {
	const parts = [stages[stage]];
	if (stage === "downloading" && packages !== undefined) parts.push(`${packages.done} of ${packages.total} packages`);
	if (stage === "downloading" && bytes !== undefined) parts.push(formatBytes(bytes));
	return parts.join(", ");
}
