import type { ProviderId } from "@xworkmate/contracts";

/** How one provider's agent is started and named in messages. */
export interface AgentLaunch {
	readonly providerId: ProviderId;
	readonly label: string;
	/** An absolute path, or a name to be looked up on PATH. */
	readonly command: string;
	/** True: the agent comes from the catalogue, so a program that the bridge installed may be used. */
	readonly isCatalogued: boolean;
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly defaultEnvironment: Readonly<Record<string, string>>;
	/** The fix if the command is not installed. */
	readonly installFix: string;
	/** A terminal command that signs in to the agent, if known. */
	readonly login?: string;
	/** Variables that a sign-in sets. */
	readonly signInVariables: readonly string[];
	/** True if conversations are known to survive the end of the process. */
	readonly resumes: boolean;
	/** Why session/load is not used although the agent offers it. */
	readonly loadDefect?: string;
}
