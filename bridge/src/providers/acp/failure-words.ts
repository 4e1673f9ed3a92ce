import type { RequestError } from "@agentclientprotocol/sdk";
import type { ExitStatus } from "../../processes/process-group.ts";
import { firstBytes, readable } from "../preview.ts";
import { cleanText } from "./diagnosis-tail.ts";
import type { AgentCapabilities, AuthMethod } from "./handshake.ts";

const ERROR_BYTES = 1_024;
const METHOD_BYTES = 200;

/** An agent's own words for an error, bounded; not cleaned. */
export function errorWords(error: RequestError): string {
	const data = error.data === undefined || error.data === null ? undefined : readable(error.data);
	const words = data === undefined || data === "{}" ? error.message : `${error.message} (${data})`;
	return firstBytes(words, ERROR_BYTES);
}

export function exitWords(exit: ExitStatus | undefined): string {
	if (exit === undefined) return "closed its connection";
	return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** How to log in: the catalogue's command, else what the agent itself offers. */
export function loginWords(label: string, command: string, login: string | undefined, { authMethods }: AgentCapabilities): string {
	const ways = login === undefined ? authMethods.map((method) => wayOf(command, method)) : [`run \`${login}\` in a terminal`];
	const how = ways.length === 0 ? "Sign in with its own command." : `To sign in: ${ways.join("; or ")}.`;
	return `${label} isn't signed in. ${how}`;
}

function wayOf(command: string, { type, args, name, description, id }: AuthMethod): string {
	const words = type === "terminal" ? `run \`${[command, ...(args ?? [])].join(" ")}\` in a terminal` : (description ?? name ?? id);
	return firstBytes(cleanText(words), METHOD_BYTES);
}
