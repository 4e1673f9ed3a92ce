import type { FailedCode } from "@xworkmate/contracts";

/** Why a turn failed on the agent's side; becomes the run's outcome. */
export class AgentFailure extends Error {
	override readonly name = "AgentFailure";
	readonly code: FailedCode;

	constructor(code: FailedCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/** What came over an agent's stdout breaks the protocol or its bounds. */
export class WireError extends Error {
	override readonly name = "WireError";
	readonly code = "AGENT_WIRE";
}
