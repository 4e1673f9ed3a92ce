import type { PassingGatewayCode, Unavailable } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { DeviceKeyError } from "./device-identity.ts";
import { GatewayProtocolError, GatewayRefusal } from "./gateway-error.ts";

export interface ConnectProblem {
	readonly unavailable: Unavailable;
	/** True: the user has to act first, so retrying soon is useless. */
	readonly needsPerson: boolean;
	readonly retryAfterMs?: number;
}

/** Why the gateway is unavailable and how to fix it, for the user. Pure. */
export function connectProblem(error: unknown, host: string): ConnectProblem {
	if (error instanceof GatewayRefusal) return refusedProblem(error, host);
	if (error instanceof DeviceKeyError) return person("GATEWAY_KEY_UNUSABLE", error.message, error.fix);
	if (error instanceof GatewayProtocolError) {
		return person(
			"GATEWAY_PROTOCOL",
			`${host}: ${error.message}.`,
			'Set "Gateway address" under Settings > OpenClaw to the address of an OpenClaw 2026.9 gateway, then restart the bridge.',
		);
	}
	const words = errorMessage(error);
	if (isPlainPort(error)) {
		return person(
			"GATEWAY_NOT_TLS",
			`The port at ${host} is open, but does not use TLS.`,
			`If the gateway is on this computer, set "Gateway address" under Settings > OpenClaw to ws://${host} and restart the bridge. If it is on another computer, put a TLS proxy in front of it.`,
		);
	}
	return passing(
		"GATEWAY_UNREACHABLE",
		`The OpenClaw gateway at ${host} can't be reached: ${words}.`,
		'Start the gateway with `openclaw gateway run`, or correct "Gateway address" under Settings > OpenClaw and restart the bridge.',
	);
}

/** True if the server answered the TLS handshake with some other protocol. */
function isPlainPort(error: unknown): boolean {
	const cause = error instanceof Error ? error.cause : undefined;
	return ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER"].includes(systemErrorCode(cause) ?? "");
}

function refusedProblem({ message, code, facts }: GatewayRefusal, host: string): ConnectProblem {
	const detail = facts.detailCode ?? code;
	if (facts.retryable || code === "UNAVAILABLE") {
		const starting = passing("GATEWAY_STARTING", `The OpenClaw gateway at ${host} is starting.`, "Wait a few seconds.");
		return facts.retryAfterMs === undefined ? starting : { ...starting, retryAfterMs: facts.retryAfterMs };
	}
	if (detail === "PAIRING_REQUIRED" || detail === "NOT_PAIRED" || code === "NOT_PAIRED") {
		const id = facts.pairingRequestId;
		const fix = `On the gateway's machine, run \`openclaw devices list\`, then \`openclaw devices approve ${id ?? "<requestId>"}\`.`;
		return person("GATEWAY_PAIRING_NEEDED", `The OpenClaw gateway at ${host} does not know this bridge yet.`, fix);
	}
	if (detail === "PROTOCOL_MISMATCH" || code === "PROTOCOL_MISMATCH") {
		return person(
			"GATEWAY_PROTOCOL",
			`The OpenClaw gateway at ${host} uses a different protocol version.`,
			"Install OpenClaw 2026.9 on the gateway's machine.",
		);
	}
	if (detail.startsWith("AUTH_")) {
		const fix =
			'Set "Gateway token" under Settings > OpenClaw to the gateway\'s token (gateway.auth.token of its configuration), then restart the bridge.';
		return person("GATEWAY_TOKEN_WRONG", `The OpenClaw gateway at ${host} rejected the token.`, fix);
	}
	return person(
		"GATEWAY_REFUSED",
		`The OpenClaw gateway at ${host} rejected the connection: ${message}.`,
		"See the gateway's log for the cause.",
	);
}

function person(code: string, message: string, fix: string): ConnectProblem {
	return { unavailable: { code, message, fix }, needsPerson: true };
}

function passing(code: PassingGatewayCode, message: string, fix: string): ConnectProblem {
	return { unavailable: { code, message, fix }, needsPerson: false };
}
