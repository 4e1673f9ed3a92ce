import type { FailedCode } from "@xworkmate/contracts";

/** A turn failed on the agent's side; becomes the run's outcome. */
export class AgentFailure extends Error {
	override readonly name = "AgentFailure";
	readonly code: FailedCode;

	constructor(code: FailedCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/** An agent's stdout violates the protocol or its limits. */
export class WireError extends Error {
	override readonly name = "WireError";
	readonly code = "AGENT_WIRE";
}
