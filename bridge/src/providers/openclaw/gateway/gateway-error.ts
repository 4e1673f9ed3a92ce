/** The fields of a gateway's error answer other than its message (OpenClaw gateway protocol 4, transport). */
export interface RefusalFacts {
	readonly code: string;
	/** `error.details.code`: the plugin's own code, or the gateway's finer one. */
	readonly detailCode?: string;
	readonly retryable: boolean;
	readonly retryAfterMs?: number;
	/** A device that a user has to approve on the gateway's side. */
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

/** No answer: the socket closed, was dead, or the call timed out. Whether the call was carried out is not known. */
export class GatewayDisconnected extends Error {
	override readonly name: string = "GatewayDisconnected";
	readonly code = "GATEWAY_DISCONNECTED";
}

/** The gateway is there and the plugin is not: it is being loaded again, or is turned off. */
export class PluginAway extends GatewayDisconnected {
	/** The gateway has no such method. It may have one again: a plugin can be turned on in a running gateway. */
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

/** The gateway could not be had within the bound. */
export class GatewayLost extends Error {
	override readonly name = "GatewayLost";
	readonly code = "GATEWAY_LOST";
}

/** True when the same call may succeed later, because it was not refused. */
export function isPassing(error: unknown): boolean {
	if (error instanceof GatewayDisconnected) return true;
	return error instanceof GatewayRefusal && error.facts.retryable;
}

/**
 * Whether the gateway refused a method of the plugin in the plugin's absence. For a method that it does not have it asks
 * for the scope of administrators, which none of the plugin's needs.
 */
export function isPluginAway({ facts: { code, detailCode, missingScope } }: GatewayRefusal): boolean {
	return missingScope === "operator.admin" || (code === "UNAVAILABLE" && detailCode === undefined);
}

/** True for an answer of the plugin with this code (contracts, OpenClawPluginErrorCode). */
export function isPluginCode(error: unknown, code: string): boolean {
	return error instanceof GatewayRefusal && error.facts.detailCode === code;
}
