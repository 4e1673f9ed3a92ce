import type { ErrorDefinition } from "./error-definition.ts";

/** Refusals about agents: their installation and sign-in. */
export const agentErrors = {
	AGENT_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "No agent in the catalogue has this id, or the agent has no such sign-in method.",
		fix: "Choose an agent that `npm run -s xworkmate -- agents` lists.",
	},
	AGENT_BUSY: {
		number: -32009,
		retryable: true,
		meaning: "The agent is busy with another action.",
		fix: "Wait until it has finished. You can cancel an installation, an update or a sign-in.",
	},
	AGENT_REFUSED: {
		number: -32009,
		retryable: false,
		meaning: "This can't be done with this agent.",
		fix: "Correct the problem that the message describes.",
	},
} as const satisfies Record<string, ErrorDefinition>;
