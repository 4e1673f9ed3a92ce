import type { FailedCode } from "@xworkmate/contracts";
import type { ProviderOutcome } from "../../../ports/runs/run-event.ts";

/** A failure of a turn on the agent's side, which becomes the run's outcome. */
export class AgentFailure extends Error {
	override readonly name = "AgentFailure";
	readonly code: FailedCode;
	readonly #isRequest: boolean;

	/** @param isRequest true if the failure was caused by what was requested; the agent itself may work */
	constructor(code: FailedCode, message: string, { isRequest = false, ...options }: ErrorOptions & { readonly isRequest?: boolean } = {}) {
		super(message, options);
		this.code = code;
		this.#isRequest = isRequest;
	}

	get outcome(): ProviderOutcome {
		return { kind: "failed", code: this.code, message: this.message, ...(this.#isRequest && { isRequest: true }) };
	}
}

/** An agent's stdout violates the protocol or its limits. */
export class WireError extends Error {
	override readonly name = "WireError";
	readonly code = "AGENT_WIRE";
}

/** A JSON-RPC error: an agent's response to a request from the bridge, or the bridge's response to a request from an agent. */
export class RequestError extends Error {
	override readonly name = "RequestError";
	readonly code: number;
	readonly data: unknown;

	constructor({ code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown }) {
		super(message);
		this.code = code;
		this.data = data;
	}
}
