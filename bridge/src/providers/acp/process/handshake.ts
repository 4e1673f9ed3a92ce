import { z } from "zod";
import { AgentFailure } from "./agent-failure.ts";

const PROTOCOL_VERSION = 1;

const supported = z.boolean().catch(false).default(false);
const offered = z
	.object({})
	.nullish()
	.catch(undefined)
	.transform((value) => value !== undefined && value !== null);

const AuthMethod = z.object({
	id: z.string(),
	name: z.string().optional().catch(undefined),
	description: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	args: z.array(z.string()).optional().catch(undefined),
	env: z.record(z.string(), z.string()).optional().catch(undefined),
	link: z.string().optional().catch(undefined),
	vars: z
		.array(
			z.object({
				name: z.string(),
				label: z.string().nullish().catch(undefined),
				secret: z.boolean().optional().catch(undefined),
				optional: z.boolean().optional().catch(undefined),
			}),
		)
		.optional()
		.catch(undefined),
});
export type AuthMethod = z.infer<typeof AuthMethod>;

const InitializeResponse = z.object({
	protocolVersion: z.number(),
	agentCapabilities: z
		.object({
			loadSession: supported,
			sessionCapabilities: z.object({ resume: offered }).nullish().catch(undefined),
		})
		.nullish()
		.catch(undefined),
	authMethods: z
		.array(z.unknown())
		.nullish()
		.catch(undefined)
		.transform((methods) => (methods ?? []).flatMap((method) => AuthMethod.safeParse(method).data ?? [])),
});

/** What an agent reported about itself. */
export interface AgentCapabilities {
	/** The agent supports session/load, which continues a conversation and replays it. */
	readonly loads: boolean;
	/** The agent supports session/resume, which continues a conversation without replaying it. */
	readonly resumes: boolean;
	readonly authMethods: readonly AuthMethod[];
}

/** The params of `initialize`: version 1, without files or terminals, so that agents use their own, but with sign-in in a terminal. */
export const initializeParams = {
	protocolVersion: PROTOCOL_VERSION,
	clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false, auth: { terminal: true } },
	clientInfo: { name: "xworkmate-bridge", title: "XWorkmate", version: "0.1.0" },
} as const;

/** @throws AgentFailure for a malformed answer, or another version of the protocol. */
export function readInitializeResponse(response: unknown): AgentCapabilities {
	const parsed = InitializeResponse.safeParse(response);
	if (!parsed.success)
		throw new AgentFailure("PROVIDER_ERROR", "The agent's answer to initialize does not follow the Agent Client Protocol.");
	const { protocolVersion, agentCapabilities, authMethods } = parsed.data;
	if (protocolVersion !== PROTOCOL_VERSION) {
		throw new AgentFailure(
			"PROVIDER_ERROR",
			`The agent speaks version ${protocolVersion} of the Agent Client Protocol, but the bridge speaks version 1.`,
		);
	}
	return {
		loads: agentCapabilities?.loadSession ?? false,
		resumes: agentCapabilities?.sessionCapabilities?.resume ?? false,
		authMethods,
	};
}
