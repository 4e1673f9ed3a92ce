import { createHash } from "node:crypto";
import { formatBytes, type Integration, IntegrationId, ToolId, visibleWithin } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { z } from "zod";
import type { Examined, HostedOutcome, ToolCatalogue, ToolHosts, TypedTool } from "../../ports/tools/tool-hosts.ts";
import { builtInGroups } from "../host/host-messages.ts";
import { SourceRefused } from "./write-source.ts";

/** The largest source, small enough that the user can read all of it before it is written. */
export const SOURCE_BYTES = 16 * 1024;
/** A new version counts as another tool, so permissions for the earlier one do not cover it. */
const VERSION = "xworkmate.writeTool.1";
const PATH = /^(?:[A-Za-z0-9_][A-Za-z0-9_-]{0,99}\/){0,7}[A-Za-z0-9_][A-Za-z0-9._-]{0,95}\.ts$/;
/** Characters that hide or reorder text; tabs and line breaks are allowed. */
const HIDDEN = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;
const MAX_PROBLEMS = 5;

const WriteInput = z.strictObject({
	integration: IntegrationId.refine((name) => !builtInGroups.has(name), "is reserved for built-in tools"),
	path: z
		.string()
		.regex(
			PATH,
			"must be the path of a .ts file in the integration's folder, at most 7 folders deep, with names of at most 96 ASCII letters, digits, dashes and underscores that don't begin with a dash",
		)
		.refine((path) => !/\.(?:d|test)\.ts$/.test(path), "must not be a declaration file or a test, which are not part of an integration"),
	source: z
		.string()
		.refine((source) => Buffer.byteLength(source) <= SOURCE_BYTES, `must be at most ${formatBytes(SOURCE_BYTES)}`)
		.refine((source) => source.isWellFormed() && !HIDDEN.test(source), "must not contain hidden characters"),
});

const DECLARATION = `\treadonly xworkmate: {
\t\twriteTool(input: { integration: string; path: string; source: string }): Promise<ToolResult<{ readonly integration: string; readonly state: string; readonly problems: readonly { readonly code: string; readonly message: string }[]; readonly tools: readonly { readonly toolId: string; readonly risk: string; readonly declaration: string }[] }>>;
\t};
`;

export const writeTool: TypedTool = {
	toolId: ToolId.parse("xworkmate.tools.write"),
	integration: IntegrationId.parse("xworkmate"),
	method: "writeTool",
	risk: "destructive",
	toolHash: createHash("sha256").update(VERSION).digest("hex"),
	isAccepted: true,
	isAlwaysAsked: true,
	isIdempotent: false,
	isKeyRead: false,
	mayWindow: false,
	timeoutMs: 60_000,
	secrets: [],
};

/**
 * Writes a source of an integration, and reads the integrations again.
 * @throws SourceRefused
 */
export type WriteSource = (integration: IntegrationId, path: string, source: string) => Promise<Integration>;

/**
 * Adds `tools.xworkmate.writeTool`, which lets a program change the integrations' tools. What it writes is unaccepted code, so every call
 * to that code needs approval until the user accepts it. With XWORKMATE_TOOLS_ACCEPT=auto, the code is accepted once it loads.
 */
export class HostsWithWriteTool implements ToolHosts {
	readonly #hosts: ToolHosts;
	readonly #write: WriteSource;

	constructor(hosts: ToolHosts, write: WriteSource) {
		this.#hosts = hosts;
		this.#write = write;
	}

	async catalogue(): Promise<ToolCatalogue> {
		const { registryHash, tools, declarations } = await this.#hosts.catalogue();
		return {
			registryHash: createHash("sha256").update(`${registryHash}\n${VERSION}`).digest("hex"),
			tools: new Map([...tools, ["xworkmate.writeTool", writeTool]]),
			declarations: `${declarations}${DECLARATION}`,
		};
	}

	isCurrent(tool: TypedTool): boolean {
		return isOwn(tool) ? tool.toolHash === writeTool.toolHash : this.#hosts.isCurrent(tool);
	}

	async examine(tool: TypedTool, input: unknown): Promise<Examined> {
		if (!isOwn(tool)) return this.#hosts.examine(tool, input);
		const parsed = WriteInput.safeParse(input);
		if (!parsed.success) return { kind: "invalid", message: problemOf(parsed.error) };
		const { integration, path, source } = parsed.data;
		const words = `Write tool code: tools/${integration}/${path}, ${formatBytes(Buffer.byteLength(source))}`;
		return { kind: "valid", input: parsed.data, words };
	}

	async call(tool: TypedTool, call: Parameters<ToolHosts["call"]>[1], signal: AbortSignal): Promise<HostedOutcome> {
		if (!isOwn(tool)) return this.#hosts.call(tool, call, signal);
		const parsed = WriteInput.safeParse(call.input);
		if (!parsed.success) return { kind: "failed", code: "INVALID_INPUT", message: problemOf(parsed.error) };
		const { integration, path, source } = parsed.data;
		try {
			return { kind: "succeeded", output: outputOf(await this.#write(integration, path, source)) };
		} catch (error) {
			if (error instanceof SourceRefused) return { kind: "failed", code: "TOOL_FAILED", message: error.message };
			// The file may have been written before the error.
			const code = systemErrorCode(error);
			const message = `The file was not written, or the tools could not be read again${code === undefined ? "" : ` (${code})`}.`;
			return { kind: "unknown", code: "OUTCOME_UNKNOWN", message };
		}
	}

	close(): Promise<void> {
		return this.#hosts.close();
	}
}

function isOwn(tool: TypedTool): boolean {
	return tool.toolId === writeTool.toolId;
}

function outputOf({ integration, state, problems, tools }: Integration) {
	return {
		integration,
		state,
		problems: problems.slice(0, MAX_PROBLEMS).map(({ code, message }) => ({ code, message: visibleWithin(message, 500) })),
		tools: tools.map(({ toolId, risk, declaration }) => ({ toolId, risk, declaration: declaration.slice(0, 2_000) })),
	};
}

function problemOf(error: z.ZodError): string {
	const [issue] = error.issues;
	return issue === undefined ? "the input is not valid" : `${issue.path.join(".")}: ${issue.message}`.slice(0, 500);
}
