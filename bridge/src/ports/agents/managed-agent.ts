import type { ProviderId, Unavailable } from "@xworkmate/contracts";

/** The program of an agent: what to start, and the arguments that come before the agent's own. */
export interface AgentProgram {
	/** Absolute path. */
	readonly command: string;
	readonly before: readonly string[];
	/** A folder that is added to the end of the agent's PATH. If absent, no folder is added. */
	readonly lastPath?: string;
}

/** A way to sign in, as the agent described it. Everything in it is untrusted. */
export interface OfferedSignIn {
	readonly id: string;
	readonly name: string;
	readonly description?: string;
	readonly link?: string;
	readonly kind: "agent" | "variables" | "terminal";
	/** Only for `terminal`: added to the agent's own arguments and variables. */
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Only for `variables`. */
	readonly vars?: readonly {
		readonly name: string;
		readonly label?: string;
		readonly secret: boolean;
		readonly optional: boolean;
		readonly default?: string;
	}[];
}

/** Where the programs of installed agents are. */
export interface InstalledPrograms {
	/** The program of an agent that the bridge installed; undefined if there is none. */
	find(agentId: ProviderId): Promise<AgentProgram | undefined>;
}

/** Variables that are set for one agent only. */
export interface AgentVariables {
	of(agentId: ProviderId): Readonly<Record<string, string>>;
}

/** An agent of the catalogue, as far as its installation and sign-in are concerned. */
export interface ManagedAgent {
	readonly providerId: ProviderId;
	/** True while a turn, a test, a probe or a sign-in of the agent is running. */
	readonly isWorking: boolean;
	/** The ways to sign in that the agent offered when it was last started; undefined if it has not been started since the bridge started. */
	readonly offered: readonly OfferedSignIn[] | undefined;
	/** How the user would start the agent in a terminal, without secrets. */
	invocation(): Promise<
		{ readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } | undefined
	>;
	/** Starts a program that will become this agent, and waits until it has answered `initialize`. Never rejects because of the agent. */
	probe(program: AgentProgram, signal: AbortSignal): Promise<Probed>;
	/** Asks the agent to sign in. Undefined if the agent reports success. Never rejects because of the agent. */
	authenticate(methodId: string, signal: AbortSignal): Promise<Unavailable | undefined>;
	/** Ends processes that no turn uses, so that the next turn starts a new one. */
	endIdle(): Promise<void>;
}

export type Probed = { readonly offered: readonly OfferedSignIn[] } | { readonly problem: Unavailable };
