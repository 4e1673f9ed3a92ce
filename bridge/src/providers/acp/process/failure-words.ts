import { withFullStop } from "@xworkmate/contracts";
import type { ExitStatus } from "../../../processes/group/process-group.ts";
import { firstBytes, readable } from "../../preview.ts";
import { commandLine } from "../protocol/command-line.ts";
import type { RequestError } from "./agent-failure.ts";
import type { AgentCapabilities, AuthMethod } from "./handshake.ts";
import { cleanText } from "./stderr-tail.ts";

const ERROR_BYTES = 1_024;
const METHOD_BYTES = 200;
/** A long limit, because a truncated command would do something else. */
const COMMAND_BYTES = 2_000;

/** The agent's own error text, truncated but not redacted. */
export function errorWords(error: RequestError): string {
	const data = error.data === undefined || error.data === null ? undefined : readable(error.data);
	const words = data === undefined || data === "{}" ? error.message : `${error.message} (${data})`;
	return firstBytes(words, ERROR_BYTES);
}

/** JSON-RPC's standard error names and similar ones, which add nothing if the error's data has a message. */
const GENERIC = /^(?:Internal error|Invalid params|Invalid request|Method not found|Parse error|Server error|Unknown error)\.?$/i;
const SENTENCE_CHARACTERS = 300;

/** The most helpful sentence of an agent's error: its provider's own message, if it passes one on. Not redacted. */
export function errorSentence({ message, data }: Pick<RequestError, "message" | "data">): string {
	const detail = detailOf(data);
	const words =
		detail === undefined || message.includes(detail) ? message : GENERIC.test(message.trim()) ? detail : `${message} (${detail})`;
	return firstLine(words);
}

/** Searches the keys under which agents pass on their provider's message, including nested ones. */
function detailOf(data: unknown, depth = 0): string | undefined {
	if (typeof data === "string") {
		const inner = depth < MAX_DEPTH && data.trimStart().startsWith("{") ? detailOf(parsed(data), depth + 1) : undefined;
		return inner ?? (data.trim() === "" ? undefined : data);
	}
	if (typeof data !== "object" || data === null || depth >= MAX_DEPTH) return undefined;
	const found = new Map(Object.entries(data));
	for (const name of ["details", "detail", "message", "error", "reason"]) {
		const detail = detailOf(found.get(name), depth + 1);
		if (detail !== undefined) return detail;
	}
	return undefined;
}

const MAX_DEPTH = 4;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The text is not JSON after all, but plain text.
		return undefined;
	}
}

function firstLine(text: string): string {
	const [line = ""] = text.trim().split("\n", 1);
	return line.length > SENTENCE_CHARACTERS ? `${line.slice(0, SENTENCE_CHARACTERS)}…` : line.trimEnd();
}

const DURING: Readonly<Record<string, string>> = { "session/prompt": "during the run", initialize: "while it was starting" };

/**
 * How an agent exited. After a crash, the line most likely to name the cause comes first, and then the exit status.
 * @param said what the agent wrote outside the protocol, redacted
 */
export function goneWords(label: string, exit: ExitStatus | undefined, method: string, said: string): string {
	const how = `${exitWords(exit)} during ${method}.`;
	const telling = tellingLine(said);
	const hasCrashed = exit !== undefined && (exit.signal === null ? exit.code !== 0 : !SENT.has(exit.signal));
	if (telling !== undefined && hasCrashed)
		return `${withFullStop(`${label} ${method === "initialize" ? "could not be started" : "crashed"}: ${telling}`)}\nIt ${how}`;
	const when = DURING[method];
	return when === undefined ? `${label} ${how}` : `${label} ${exitWords(exit)} ${when}.`;
}

/** Signals that the system or another process sends, so nothing that the agent wrote names their cause. */
const SENT: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM"]);
const ERROR_LINE = /error|exception|fatal|panic/i;
const STACK_LINE = /^\s+at |^\s*File "/;

/** The line most likely to name the cause: the last one that mentions an error, or else the last one. */
function tellingLine(said: string): string | undefined {
	const lines = said.split("\n").filter((line) => line.trim() !== "" && !STACK_LINE.test(line));
	const line = lines.findLast((one) => ERROR_LINE.test(one)) ?? lines.at(-1);
	return line === undefined ? undefined : firstLine(line);
}

function exitWords(exit: ExitStatus | undefined): string {
	if (exit === undefined) return "closed its connection";
	return exit.signal === null ? `exited with code ${exit.code}` : `was terminated by ${exit.signal}`;
}

/**
 * What agents write when a sign-in is missing. ACP's error code for that, -32000, is also one of JSON-RPC's codes for any server error, and
 * agents use it for both, so only the words distinguish them.
 */
const SIGN_IN_WORDS =
	/\b(?:log|sign)(?:ged|ing)?[ -]?in\b|\bauthentication (?:is )?(?:required|needed)|\b(?:not |un)(?:authenticated|authorized)\b|\b(?:no|missing|invalid) (?:api key|credentials?)\b/i;

/** True if a way to sign in is known, and the error says that a sign-in is missing. */
export function asksToSignIn(error: Pick<RequestError, "message" | "data">, ways: SignInWays): boolean {
	const { data } = error;
	const text = `${error.message}\n${data === undefined || data === null ? "" : readable(data)}`;
	return hasWay(ways) && SIGN_IN_WORDS.test(firstBytes(text, ERROR_BYTES));
}

/**
 * True if the agent's error names a variable that a sign-in sets. Agents that are configured by variables have no code for a missing
 * sign-in: they name the missing variable.
 */
export function lacksVariable(error: RequestError, variables: readonly string[]): boolean {
	const words = new Set(errorWords(error).match(/\w+/g));
	return variables.some((name) => words.has(name));
}

/** The known ways to sign in to an agent. */
export interface SignInWays {
	readonly label: string;
	/** What starts the agent: the command and its arguments. */
	readonly command: readonly string[];
	/** The terminal command that signs in, if one is known. */
	readonly login: string | undefined;
	readonly authMethods: AgentCapabilities["authMethods"];
}

/** How to sign in: the known command, or else what the agent itself offers. */
export function loginWords(ways: SignInWays): string {
	return `${ways.label} isn't signed in. ${ways.login === undefined ? offeredWays(ways) : `${loginStep(ways.login)}, then try again.`}`;
}

/** A hint that the agent may not be signed in, for an error that does not say so. Undefined if no way to sign in is known. */
export function perhapsLoginWords(ways: SignInWays): string | undefined {
	if (!hasWay(ways)) return undefined;
	return `It may not be signed in. ${ways.login === undefined ? offeredWays(ways) : `${loginStep(ways.login)}.`}`;
}

function hasWay({ login, authMethods }: SignInWays): boolean {
	return login !== undefined || authMethods.length > 0;
}

function loginStep(login: string): string {
	return `Run \`${login}\` in a terminal`;
}

function offeredWays({ command, authMethods }: SignInWays): string {
	return `To sign in: ${authMethods.map((method) => wayOf(command, method)).join(", or ")}.`;
}

function wayOf(command: readonly string[], { type, args = [], env = {}, name, description, id }: AuthMethod): string {
	if (type !== "terminal") return firstBytes(cleanText(description ?? name ?? id), METHOD_BYTES).replace(/\.\s*$/, "");
	const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
	const line = commandLine([...(variables.length === 0 ? [] : ["env", ...variables]), ...command, ...args]);
	return firstBytes(cleanText(`run \`${line}\` in a terminal`), COMMAND_BYTES);
}
