import type { ProviderId } from "@xworkmate/contracts";

/** How one provider's agent is started and spoken of. */
export interface AgentLaunch {
	readonly providerId: ProviderId;
	readonly label: string;
	/** Absolute, or a name to be looked up on PATH. */
	readonly command: string;
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly defaultEnvironment: Readonly<Record<string, string>>;
	/** What to do when the command is not there. */
	readonly installFix: string;
	/** A command for a terminal that logs the agent in, when it is known. */
	readonly login?: string;
	/** Whether conversations are known to survive the process. */
	readonly resumes: boolean;
	/** Why an offered session/load is not used. */
	readonly loadDefect?: string;
}
