import { z } from "zod";
import type { ProviderTurn } from "../../ports/agents/provider.ts";
import type { AgentConnection } from "./process/agent-connection.ts";
import { AgentFailure } from "./process/agent-failure.ts";
import { type ModelChoice, readModelChoice } from "./process/model-choice.ts";

export interface OpenConversation {
	readonly conversationId: string;
	readonly models: ModelChoice | undefined;
	/** Why an earlier conversation, if there was one, was not continued. */
	readonly restarted?: string;
}

export interface OpenLimit {
	readonly ms: number;
	readonly stop: AbortSignal;
}

const MAX_CONVERSATION_ID = 1_000;
const NewSession = z.looseObject({ sessionId: z.string().min(1).max(MAX_CONVERSATION_ID) });

/**
 * Opens the conversation of a turn in a new agent process: the earlier one if the agent can continue it in the same directory, and a new
 * one otherwise.
 * @throws AgentFailure, Stopped
 */
export async function openConversation(agent: AgentConnection, turn: ProviderTurn, limit: OpenLimit): Promise<OpenConversation> {
	if (turn.session === undefined) return newConversation(agent, limit);
	const { providerSessionId, workingDirectory } = turn.session;
	const obstacle = obstacleTo(agent, workingDirectory);
	if (obstacle !== undefined) return { ...(await newConversation(agent, limit)), restarted: obstacle };
	try {
		return await continued(agent, providerSessionId, limit);
	} catch (error) {
		if (!(error instanceof AgentFailure) || error.code !== "PROVIDER_ERROR" || !agent.alive) throw error;
		return { ...(await newConversation(agent, limit)), restarted: error.message };
	}
}

function obstacleTo(agent: AgentConnection, workingDirectory: string): string | undefined {
	const { profile, capabilities } = agent;
	if (workingDirectory !== agent.workingDirectory) return "the working folder has changed";
	if (capabilities.resumes) return undefined;
	if (!capabilities.loads) return `${profile.label} cannot continue a conversation after its process has ended`;
	return profile.loadDefect;
}

async function continued(agent: AgentConnection, conversationId: string, limit: OpenLimit): Promise<OpenConversation> {
	// `session/resume` does not replay the conversation. What `session/load` replays arrives before its answer and is dropped.
	const method = agent.capabilities.resumes ? "session/resume" : "session/load";
	const response = await agent.request(method, { sessionId: conversationId, cwd: agent.workingDirectory, mcpServers: [] }, limit);
	return { conversationId, models: readModelChoice(response) };
}

export async function newConversation(agent: AgentConnection, limit: OpenLimit): Promise<OpenConversation> {
	const response = await agent.request("session/new", { cwd: agent.workingDirectory, mcpServers: [] }, limit);
	const parsed = NewSession.safeParse(response);
	if (!parsed.success) throw new AgentFailure("PROVIDER_ERROR", `${agent.profile.label} answered session/new without a session id.`);
	return { conversationId: parsed.data.sessionId, models: readModelChoice(response) };
}
