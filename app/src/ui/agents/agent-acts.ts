import type { Agent, ProviderCapability } from "@xworkmate/contracts";

/** What a person can do with an agent. */
export interface AgentActs {
	install(agent: Agent): void;
	update(agent: Agent): void;
	cancel(agent: Agent): void;
	test(agent: Agent): void;
	signIn(agent: Agent): void;
	remove(agent: Agent): void;
	use(provider: ProviderCapability): void;
}

/** Something is being done with it. */
export function isBusy({ job, signingIn }: Agent): boolean {
	return job?.state === "running" || (signingIn !== undefined && signingIn.problem === undefined);
}
