import type { ProviderId, Unavailable } from "@xworkmate/contracts";

/** A program that is an agent: what is started, and what comes before the agent's own arguments. */
export interface AgentProgram {
	/** Absolute. */
	readonly command: string;
	readonly before: readonly string[];
	/** A folder that the agent finds programs in after all others; absent: no further one. */
	readonly lastPath?: string;
}

/** A way to sign in, as the agent described it. Everything in it is the agent's word. */
export interface OfferedSignIn {
	readonly id: string;
	readonly name: string;
	readonly description?: string;
	readonly link?: string;
	readonly kind: "agent" | "variables" | "terminal";
	/** Of `terminal`: added to the agent's own arguments and variables. */
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Of `variables`. */
	readonly vars?: readonly { readonly name: string; readonly label?: string; readonly secret: boolean; readonly optional: boolean }[];
}

/** Where the programs of installed agents are. */
export interface InstalledPrograms {
	/** The program of an agent that the bridge installed. */
	find(agentId: ProviderId): Promise<AgentProgram | undefined>;
}

/** What one agent is given and no other. */
export interface AgentVariables {
	of(agentId: ProviderId): Readonly<Record<string, string>>;
}

/** An agent of the catalogue, as its installation and sign-in see it. */
export interface ManagedAgent {
	readonly providerId: ProviderId;
	/** Turns of it are under way. */
	readonly isWorking: boolean;
	/** What it offered when it was last started; undefined: not started since the bridge began. */
	readonly offered: readonly OfferedSignIn[] | undefined;
	/** How it is started for a person in a terminal, without secrets. */
	invocation(): Promise<
		{ readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } | undefined
	>;
	/** Starts a program that is to become this agent, until it has answered `initialize`. Never rejects because of the agent. */
	probe(program: AgentProgram, signal: AbortSignal): Promise<Probed>;
	/** Has it sign in on its own. Undefined: it says that it has. Never rejects because of the agent. */
	authenticate(methodId: string, signal: AbortSignal): Promise<Unavailable | undefined>;
	/** Ends its processes that no turn uses, so that the next turn starts a new one. */
	endIdle(): Promise<void>;
}

export type Probed = { readonly offered: readonly OfferedSignIn[] } | { readonly problem: Unavailable };
