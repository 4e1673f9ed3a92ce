import { Redaction, type ToolErrorCode } from "@xworkmate/contracts";
import type { Examined, HostedCall, HostedOutcome, ToolCatalogue, ToolHosts, TypedTool } from "../../ports/tools/tool-hosts.ts";
import { type HostPool, NoHostError } from "./host-pool.ts";
import type { RawExamined, RawOutcome } from "./host-process.ts";
import type { Integrations } from "./integrations.ts";
import { jsonOfInput, problemOf } from "./json-value.ts";
import { HostMessageError, parseJson } from "./parse-host-message.ts";
import { safeWords } from "./safe-words.ts";
import { SecretMissing, type SecretsFile } from "./secrets-file.ts";
import type { ToolVersion } from "./tool-version.ts";

const MESSAGE_CHARACTERS = 1_000;
/** Replacing a shorter secret would destroy outputs that have nothing to do with it. */
const SHORTEST_SECRET = 4;
/** The words for a call that the tool does not describe. */
const unsaid = (tool: TypedTool) => `Call ${tool.toolId}`;

/** Runs typed tools in separate processes. */
export class ProcessToolHosts implements ToolHosts {
	readonly #integrations: Integrations;
	readonly #pool: HostPool;
	readonly #secrets: SecretsFile;

	constructor(integrations: Integrations, pool: HostPool, secrets: SecretsFile) {
		this.#integrations = integrations;
		this.#pool = pool;
		this.#secrets = secrets;
	}

	async catalogue(): Promise<ToolCatalogue> {
		await this.#integrations.settled();
		return this.#integrations.now;
	}

	isCurrent(tool: TypedTool): boolean {
		const now = this.#integrations.now.tools.get(`${tool.integration}.${tool.method}`);
		return now !== undefined && now.toolId === tool.toolId && now.toolHash === tool.toolHash && (now.isAccepted || !tool.isAccepted);
	}

	async examine(tool: TypedTool, input: unknown): Promise<Examined> {
		const version = this.#versionOf(tool);
		if (version === undefined) return { kind: "changed" };
		const passed = jsonOfInput(input);
		if ("problem" in passed) return { kind: "invalid", message: passed.problem };
		try {
			return examinedOf(tool, await this.#pool.use(version, (host) => host.examine(tool.method, passed.json)));
		} catch (error) {
			return { kind: "lost", message: lossOf(error) };
		}
	}

	async call(tool: TypedTool, call: HostedCall, signal: AbortSignal): Promise<HostedOutcome> {
		const version = this.#versionOf(tool);
		if (version === undefined)
			return { kind: "failed", code: "TOOL_CHANGED", message: "The tool's code was replaced before it was called." };
		const passed = jsonOfInput(call.input);
		if ("problem" in passed) return { kind: "failed", code: "INVALID_INPUT", message: passed.problem };
		let secrets: Readonly<Record<string, string>> = {};
		try {
			secrets = await this.#secrets.read(tool.secrets);
			return await this.#pool.use(version, async (host) => {
				if (signal.aborted) return STOPPED;
				const raw = await host.call(tool.method, call, passed.json, JSON.stringify(secrets), tool.timeoutMs, signal);
				return outcomeOf(tool, raw, new Redaction(Object.values(secrets)), Object.values(secrets));
			});
		} catch (error) {
			// The handler was not called.
			if (error instanceof SecretMissing) return { kind: "failed", code: "TOOL_FAILED", message: error.message };
			return { kind: "failed", code: "HOST_LOST", message: lossOf(error) };
		}
	}

	async close(): Promise<void> {
		await this.#pool.close();
	}

	/** The version of a tool; undefined if it is not current, since it must not be called even if its process still runs. */
	#versionOf(tool: TypedTool): ToolVersion | undefined {
		return this.isCurrent(tool) ? this.#integrations.find(tool.integration)?.version : undefined;
	}
}

const STOPPED: HostedOutcome = { kind: "failed", code: "STOPPED", message: "The call was cancelled before it began." };

/**
 * Why a process is lost, in words.
 * @throws errors that are faults of the bridge
 */
function lossOf(error: unknown): string {
	if (error instanceof NoHostError) return error.message.slice(0, MESSAGE_CHARACTERS);
	if (error instanceof HostMessageError) return `The tool's process returned an input that can't be used: ${error.message}.`;
	throw error;
}

function examinedOf(tool: TypedTool, raw: RawExamined): Examined {
	if (raw.kind !== "valid") return { kind: raw.kind, message: raw.message.slice(0, MESSAGE_CHARACTERS) };
	const input = parseJson(raw.json);
	const problem = problemOf(input);
	if (problem !== undefined) return { kind: "invalid", message: problem };
	const words = (raw.words === undefined ? undefined : safeWords(raw.words)) ?? unsaid(tool);
	return { kind: "valid", input, words, ...(raw.policy === "none" ? {} : { policy: raw.policy }) };
}

function outcomeOf(tool: TypedTool, raw: RawOutcome, redaction: Redaction, secrets: readonly string[]): HostedOutcome {
	if (raw.kind === "returned" && raw.outcome === "succeeded") return succeeded(tool, raw.text, secrets);
	const message = (text: string) => redaction.text(text).slice(0, MESSAGE_CHARACTERS);
	if (raw.kind === "returned") {
		const kind = tool.risk === "read" || raw.outcome === "failed" ? "failed" : "unknown";
		return { kind, code: raw.code ?? "TOOL_FAILED", message: message(raw.text) };
	}
	if (raw.kind === "uncalled") return { kind: "failed", code: "HOST_LOST", message: message(raw.message) };
	const codes = { lost: "HOST_LOST", timeout: "TOOL_TIMEOUT", cancelled: tool.risk === "read" ? "STOPPED" : "OUTCOME_UNKNOWN" } as const;
	return uncertain(tool, codes[raw.kind], message(raw.message));
}

/** The outcome if a handler may have begun, but gave no usable answer: a read has failed, and the outcome of anything else is unknown. */
function uncertain(tool: TypedTool, code: ToolErrorCode, message: string): HostedOutcome {
	return { kind: tool.risk === "read" ? "failed" : "unknown", code, message };
}

function succeeded(tool: TypedTool, json: string, secrets: readonly string[]): HostedOutcome {
	try {
		const output = parseJson(json);
		const problem = problemOf(output);
		if (problem === undefined) return { kind: "succeeded", output: withoutSecrets(output, secrets) };
		return uncertain(tool, "INVALID_OUTPUT", problem);
	} catch (error) {
		if (!(error instanceof HostMessageError)) throw error;
		return uncertain(tool, "INVALID_OUTPUT", `The tool's output can't be used: ${error.message}.`);
	}
}

/** Redacts the secrets that a tool returns, so that a program does not get them. Recurses no deeper than `problemOf` allows. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
	const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
	if (known.length === 0) return value;
	const clean = (text: string) => known.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
	if (typeof value === "string") return clean(value);
	if (Array.isArray(value)) return value.map((element) => withoutSecrets(element, secrets));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), withoutSecrets(member, secrets)]));
}
