import { type PassingGatewayCode, type Unavailable, withFullStop } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { DeviceKeyError } from "./device-identity.ts";
import { GatewayProtocolError, GatewayRefusal, type RefusalFacts } from "./gateway-error.ts";

/** `details.reason` of the refusals that a gateway sends until it has started. */
const STARTING = "startup-sidecars";

export interface ConnectProblem {
	readonly unavailable: Unavailable;
	/** True: retrying soon is useless, because the user has to act first, or because the gateway has locked this computer out. */
	readonly retriesSlowly: boolean;
	readonly retryAfterMs?: number;
}

/** What error messages say about a gateway: its address, and where its settings come from. */
export interface GatewayPlace {
	/** The gateway's host, and its port unless it is the default one. */
	readonly host: string;
	/** The flags or environment variables that set its address and its token. Absent: the page can change the setting. */
	readonly setBy: { readonly url?: string; readonly token?: string };
}

/** Why the gateway is unavailable and how to fix it, for the user. Pure. */
export function connectProblem(error: unknown, place: GatewayPlace): ConnectProblem {
	if (error instanceof GatewayRefusal) return refusedProblem(error, place);
	if (error instanceof DeviceKeyError) return person("GATEWAY_KEY_UNUSABLE", error.message, error.fix);
	const { host } = place;
	const address = settingOf("Gateway address", place.setBy.url);
	if (error instanceof GatewayProtocolError) {
		return person(
			"GATEWAY_PROTOCOL",
			`The connection to the OpenClaw gateway at ${host} failed: ${error.message}.`,
			`Set ${address.name} to the address of an OpenClaw 2026.9 gateway, then ${address.restart}.`,
		);
	}
	const words = errorMessage(error);
	if (isPlainPort(error)) {
		return person(
			"GATEWAY_NOT_TLS",
			`The port at ${host} is open, but does not use TLS.`,
			`If the gateway is on this computer, set ${address.name} to ws://${host} and ${address.restart}. If it is on another computer, put a TLS proxy in front of it.`,
		);
	}
	return passing(
		"GATEWAY_UNREACHABLE",
		`The OpenClaw gateway at ${host} can't be reached: ${words}.`,
		`Start the gateway with \`openclaw gateway run\`, or correct ${address.name} and ${address.restart}.`,
	);
}

/** How to change a setting. The page can't change what a flag or a variable sets. */
function settingOf(field: string, setBy: string | undefined): { readonly name: string; readonly restart: string } {
	if (setBy !== undefined) return { name: setBy, restart: "restart XWorkmate" };
	return { name: `"${field}" under Settings > OpenClaw`, restart: "restart the bridge" };
}

/** True if the server answered the TLS handshake with some other protocol. */
function isPlainPort(error: unknown): boolean {
	const cause = error instanceof Error ? error.cause : undefined;
	return ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER"].includes(systemErrorCode(cause) ?? "");
}

function refusedProblem(error: GatewayRefusal, place: GatewayPlace): ConnectProblem {
	const problem = refusalProblem(error, place);
	const { retryAfterMs } = error.facts;
	return retryAfterMs === undefined ? problem : { ...problem, retryAfterMs };
}

function refusalProblem({ message, code, facts }: GatewayRefusal, place: GatewayPlace): ConnectProblem {
	const { host } = place;
	const detail = facts.detailCode ?? code;
	if (detail === "PAIRING_REQUIRED" || detail === "NOT_PAIRED" || code === "NOT_PAIRED") {
		const id = facts.pairingRequestId;
		const fix = `On the gateway's machine, run \`openclaw devices list\`, then \`openclaw devices approve ${id ?? "<requestId>"}\`.`;
		return person("GATEWAY_PAIRING_NEEDED", `The OpenClaw gateway at ${host} has not approved this bridge's access yet.`, fix);
	}
	if (detail === "PROTOCOL_MISMATCH" || code === "PROTOCOL_MISMATCH") {
		return person(
			"GATEWAY_PROTOCOL",
			`The OpenClaw gateway at ${host} uses a different protocol version.`,
			"Install OpenClaw 2026.9 on the gateway's machine.",
		);
	}
	return signInProblem(detail, place) ?? passingRefusal(code, facts, message, host) ?? refused(message, host);
}

/** A temporary refusal; undefined for any other. A gateway may refuse temporarily even after it has started. */
function passingRefusal(code: string, facts: RefusalFacts, message: string, host: string): ConnectProblem | undefined {
	if (!facts.retryable && code !== "UNAVAILABLE") return undefined;
	if (facts.reason === STARTING) return passing("GATEWAY_STARTING", `The OpenClaw gateway at ${host} is starting.`, "Wait a few seconds.");
	return passing(
		"GATEWAY_CONNECTING",
		`The OpenClaw gateway at ${host} isn't accepting connections at the moment: ${withFullStop(message)}`,
		"Wait a minute. XWorkmate keeps trying. If that doesn't help, see the gateway's log for the cause.",
	);
}

function refused(message: string, host: string): ConnectProblem {
	return person(
		"GATEWAY_REFUSED",
		`The OpenClaw gateway at ${host} rejected the connection: ${withFullStop(message)}`,
		"See the gateway's log for the cause.",
	);
}

/** Why the gateway rejected this bridge's sign-in; undefined for any other refusal. */
function signInProblem(detail: string, { host, setBy }: GatewayPlace): ConnectProblem | undefined {
	const token = settingOf("Gateway token", setBy.token);
	const setToken = `Set ${token.name} to the gateway's token (gateway.auth.token in its configuration), then ${token.restart}.`;
	if (detail === "AUTH_TOKEN_MISSING") {
		return person("GATEWAY_TOKEN_MISSING", `The OpenClaw gateway at ${host} needs a token, and none is set.`, setToken);
	}
	if (detail === "AUTH_TOKEN_MISMATCH" || detail === "AUTH_DEVICE_TOKEN_MISMATCH") {
		return person("GATEWAY_TOKEN_WRONG", `The OpenClaw gateway at ${host} rejected the token.`, setToken);
	}
	if (detail.startsWith("AUTH_PASSWORD_")) {
		return person(
			"GATEWAY_PASSWORD_NEEDED",
			`The OpenClaw gateway at ${host} requires a password, but XWorkmate can sign in only with a token.`,
			`On the gateway's machine, run \`openclaw config set gateway.auth.mode token\` and restart the gateway. ${setToken}`,
		);
	}
	if (detail !== "AUTH_RATE_LIMITED") return undefined;
	const lockedOut = passing(
		"GATEWAY_LOCKED_OUT",
		`The OpenClaw gateway at ${host} has locked this computer out for now, because too many attempts to sign in failed.`,
		"Wait a few minutes. XWorkmate keeps trying.",
	);
	return { ...lockedOut, retriesSlowly: true };
}

function person(code: string, message: string, fix: string): ConnectProblem {
	return { unavailable: { code, message, fix }, retriesSlowly: true };
}

function passing(code: PassingGatewayCode, message: string, fix: string): ConnectProblem {
	return { unavailable: { code, message, fix }, retriesSlowly: false };
}
