import type { Agent, ProviderCapability } from "@xworkmate/contracts";

/** What the user can do with an agent. */
export interface AgentActs {
	install(agent: Agent): void;
	update(agent: Agent): void;
	cancel(agent: Agent): void;
	test(agent: Agent): void;
	signIn(agent: Agent): void;
	remove(agent: Agent): void;
	use(provider: ProviderCapability): void;
}

/** True while an installation, an update or a sign-in is in progress. */
export function isBusy({ job, signingIn }: Agent): boolean {
	return job?.state === "running" || (signingIn !== undefined && signingIn.problem === undefined);
}

/** What is in progress for a busy agent. */
export function busyWith({ job }: Agent): "install" | "update" | "signIn" {
	return job?.state === "running" ? job.kind : "signIn";
}
