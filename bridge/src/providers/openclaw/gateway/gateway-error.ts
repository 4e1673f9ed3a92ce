/** The fields of a gateway's error response other than its message (OpenClaw gateway protocol 4, transport). */
export interface RefusalFacts {
	readonly code: string;
	/** `error.details.code`: the plugin's own code, or a more specific one from the gateway. */
	readonly detailCode?: string;
	/** `error.details.reason`: why the gateway is unavailable for now. */
	readonly reason?: string;
	readonly retryable: boolean;
	readonly retryAfterMs?: number;
	/** Set if a user has to approve the device on the gateway. */
	readonly pairingRequestId?: string;
	readonly missingScope?: string;
}

/** The gateway answered with an error. */
export class GatewayRefusal extends Error {
	override readonly name = "GatewayRefusal";
	readonly code: string;
	readonly facts: RefusalFacts;

	constructor(message: string, facts: RefusalFacts) {
		super(message);
		this.code = facts.code;
		this.facts = facts;
	}
}

/** No answer: the socket closed or was dead, or the call timed out. The call may or may not have been carried out. */
export class GatewayDisconnected extends Error {
	override readonly name: string = "GatewayDisconnected";
	readonly code = "GATEWAY_DISCONNECTED";
}

/** The gateway is available but the plugin is not: it is reloading, turned off or not installed. */
export class PluginAway extends GatewayDisconnected {
	/** The gateway does not have the method, but may have it later: a plugin can be turned on in a running gateway. */
	readonly isUnknown: boolean;

	constructor({ message, facts }: GatewayRefusal) {
		super(`the gateway's XWorkmate plugin is not responding: ${message}`);
		this.isUnknown = facts.code !== "UNAVAILABLE";
	}
}

/** The gateway sent something that the protocol does not define. */
export class GatewayProtocolError extends Error {
	override readonly name = "GatewayProtocolError";
	readonly code = "GATEWAY_PROTOCOL";
}

/** The gateway stayed unavailable for longer than the limit, or the bridge closed its connection. */
export class GatewayLost extends Error {
	override readonly name = "GatewayLost";
	readonly code = "GATEWAY_LOST";
}

/** True if the same call may succeed later: it got no answer, or was refused only temporarily. */
export function isPassing(error: unknown): boolean {
	if (error instanceof GatewayDisconnected) return true;
	return error instanceof GatewayRefusal && error.facts.retryable;
}

/**
 * Whether the gateway refused a method because the plugin is missing or reloading. For a method that the gateway does not have, it demands
 * the administrators' scope, which no method of the plugin needs.
 */
export function isPluginAway({ facts: { code, detailCode, missingScope } }: GatewayRefusal): boolean {
	return missingScope === "operator.admin" || (code === "UNAVAILABLE" && detailCode === undefined);
}

/** True for an answer from the plugin with this code (contracts, OpenClawPluginErrorCode). */
export function isPluginCode(error: unknown, code: string): boolean {
	return error instanceof GatewayRefusal && error.facts.detailCode === code;
}
