/** Errors with which the bridge refuses requests about agents, in the page's words. */
export const agentRefusals = {
	AGENT_NOT_FOUND: refused("Agent not found", "choose_agent"),
	AGENT_BUSY: refused("This agent is busy", "retry"),
	AGENT_REFUSED: refused("This can’t be done with this agent", "choose_agent"),
} as const;

function refused<Action extends string>(title: string, action: Action) {
	return { tone: "bad", title, meaning: "{message}", actions: [action] } as const;
}
