import { z } from "zod";
import { Unavailable } from "../errors/unavailable.ts";
import { ProviderId, Timestamp } from "../ids/ids.ts";

/**
 * `agent`: the agent handles the sign-in itself, usually in a browser. `variables`: the agent is given variables, such as an API key.
 * `terminal`: the agent's program is run in a terminal.
 */
export const SignInKind = z.enum(["agent", "variables", "terminal"]);
export type SignInKind = z.infer<typeof SignInKind>;

/** One way to sign in to an agent. */
export const SignInMethod = z.object({
	methodId: z.string(),
	kind: SignInKind,
	name: z.string(),
	description: z.string().optional(),
	/** A page with more about it, such as where to create keys. */
	link: z.string().optional(),
	/** Only for `variables`. */
	variables: z
		.array(
			z.object({
				name: z.string(),
				label: z.string().optional(),
				secret: z.boolean(),
				optional: z.boolean(),
				/** The value that the variable has if the user sets none. */
				default: z.string().optional(),
				/** True: a value is stored and is given to this agent. */
				isSet: z.boolean(),
			}),
		)
		.optional(),
	/** Only for `terminal`: the command to type. */
	command: z.string().optional(),
});
export type SignInMethod = z.infer<typeof SignInMethod>;

/** `resolving`: the registry is being queried. `starting`: the new version has to answer before it is used. */
export const AgentStage = z.enum(["resolving", "downloading", "scripts", "starting"]);
export type AgentStage = z.infer<typeof AgentStage>;

/** An installation or update that is under way, or the last one if it did not succeed. */
export const AgentJob = z.object({
	kind: z.enum(["install", "update"]),
	state: z.enum(["running", "failed", "cancelled"]),
	version: z.string(),
	stage: AgentStage,
	startedAt: Timestamp,
	endedAt: Timestamp.optional(),
	/** How many packages have been downloaded. */
	packages: z.object({ done: z.int().min(0), total: z.int().min(0) }).optional(),
	/** Bytes on the disk so far. */
	bytes: z.int().min(0).optional(),
	/** Why it failed. */
	problem: Unavailable.optional(),
	/** The end of what npm and the agent wrote, if it failed. */
	log: z.string().optional(),
});
export type AgentJob = z.infer<typeof AgentJob>;

/** `missing`: neither installed, found nor defined. `untested`: this version has not been tested. */
export const AgentState = z.enum(["missing", "untested", "ready", "needs_sign_in", "failed"]);
export type AgentState = z.infer<typeof AgentState>;

/** How a test of an agent ended: it answered, unless there is a `problem`. */
export const AgentTest = z.object({ at: Timestamp, tookMs: z.int().min(0), problem: Unavailable.optional() });
export type AgentTest = z.infer<typeof AgentTest>;

/** A run that failed because its agent did not work: it could not be started, exited, was not signed in, or reported an error. */
export const FailedRun = z.object({ at: Timestamp, problem: Unavailable });
export type FailedRun = z.infer<typeof FailedRun>;

/** An agent of the catalogue, as it is on the bridge's computer. */
export const Agent = z.object({
	agentId: ProviderId,
	name: z.string(),
	description: z.string(),
	state: AgentState,
	/** Which program is used: the one that XWorkmate installed, one that was found on the computer, or one defined in providers.json. */
	source: z.enum(["installed", "found", "defined"]).optional(),
	/** The version that XWorkmate installed, and when. */
	version: z.string().optional(),
	installedAt: Timestamp.optional(),
	/** The version that the catalogue offers. */
	offered: z.string(),
	/** True: the offered version differs from the installed one. */
	hasUpdate: z.boolean(),
	/** True: XWorkmate can install it. Otherwise the user has to run `command`, or do what `installFix` says. */
	canInstall: z.boolean(),
	/** A terminal command that installs the agent. */
	command: z.string().optional(),
	/** If no such command is known: what the user can do to install the agent. */
	installFix: z.string().optional(),
	/** The approximate size on disk. */
	bytes: z.int().min(1).optional(),
	/** The last test of this version, which an earlier bridge may have made. */
	test: AgentTest.optional(),
	/** When the agent answered in a run with this version, if it has not been tested since. */
	answeredAt: Timestamp.optional(),
	/** A run with this version in which the agent did not work. Absent if the agent has answered or was tested since. */
	failedRun: FailedRun.optional(),
	/** The newest version according to the npm registry's last reply since the bridge started, or why there was no reply. */
	newest: z.object({ at: Timestamp, version: z.string().optional(), problem: Unavailable.optional() }).optional(),
	/** The ways to sign in. Those that only the agent itself names are known once it has been started. */
	signIn: z.array(SignInMethod),
	job: AgentJob.optional(),
	/** A sign-in that is waiting for the agent, or the last one if it did not succeed. */
	signingIn: z.object({ methodId: z.string(), startedAt: Timestamp, problem: Unavailable.optional() }).optional(),
});
export type Agent = z.infer<typeof Agent>;

/** Every agent of the catalogue. */
export const Agents = z.object({
	agents: z.array(Agent),
	/** What is wrong with the catalogue in the home, or with the file that holds the agents' variables. */
	problems: z.array(Unavailable),
});
export type Agents = z.infer<typeof Agents>;
