import { PolicyDecision, Risk, ToolId, ToolProblem } from "@xworkmate/contracts";
import { z } from "zod";
import { measureJson } from "../../json/measure-json.ts";
import type { Frame } from "../../processes/frames/frame.ts";
import { type DeclaredTool, declarationBounds, type HostMessage, JSON_BYTES } from "../host/host-messages.ts";

const id = z.int().positive();
const Head = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("ready") }),
	z.strictObject({ kind: z.literal("importing") }),
	z.strictObject({ kind: z.literal("loaded") }),
	z.strictObject({ kind: z.literal("problems") }),
	z.strictObject({ kind: z.literal("parsed"), id, valid: z.boolean() }),
	z.strictObject({ kind: z.literal("described"), id }),
	z.strictObject({ kind: z.literal("ruled"), id, policy: z.union([PolicyDecision, z.enum(["failed", "none"])]) }),
	z.strictObject({
		kind: z.literal("returned"),
		id,
		outcome: z.enum(["succeeded", "failed", "unknown"]),
		code: z.enum(["TOOL_FAILED", "OUTCOME_UNKNOWN", "INVALID_OUTPUT"]).exactOptional(),
	}),
]) satisfies z.ZodType<HostMessage>;

export const DeclaredTools = z
	.array(
		z.strictObject({
			toolId: ToolId,
			method: z.string().regex(/^[a-z][A-Za-z0-9]{0,63}$/),
			file: z.string().max(1_000),
			risk: Risk,
			policy: PolicyDecision.exactOptional(),
			codeDecides: z.boolean().exactOptional(),
			idempotent: z.boolean(),
			keyRead: z.boolean(),
			window: z.boolean(),
			timeoutMs: z.int().min(1).max(declarationBounds.timeoutMs),
			secrets: z.array(z.string().max(200)).max(declarationBounds.secrets),
			input: z.unknown(),
			output: z.unknown(),
		}),
	)
	.min(1)
	.max(declarationBounds.tools) satisfies z.ZodType<DeclaredTool[]>;
const Problems = z.array(ToolProblem).min(1).max(200);

/** More than any of our own messages needs. */
const JSON_BOUNDS = { depth: 64, members: 200_000 };

/** A message of an integration's process cannot be used. */
export class HostMessageError extends Error {
	override readonly name = "HostMessageError";
	readonly code = "HOST_MESSAGE_INVALID";
}

/**
 * The head and the first text of a frame.
 * @throws HostMessageError for anything that our host does not send
 */
export function parseHostMessage(frame: Frame): { readonly message: HostMessage; readonly text: string | undefined } {
	const head = Head.safeParse(frame.head);
	if (!head.success || frame.texts.length > 1) throw new HostMessageError("it sent something that is not a message");
	const [bytes] = frame.texts;
	return { message: head.data, text: bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8") };
}

/**
 * The value of a JSON text. `what` names it in an error.
 * @throws HostMessageError for text that is too large, too deeply nested, or not JSON
 */
export function parseJson(text: string | undefined, what = "the value"): unknown {
	const bytes = Buffer.from(text ?? "");
	if (bytes.length > JSON_BYTES || measureJson(bytes, JSON_BOUNDS) !== undefined)
		throw new HostMessageError(`${what} is too large or nested too deeply`);
	try {
		return JSON.parse(text ?? "");
	} catch {
		throw new HostMessageError(`${what} is not JSON`);
	}
}

/** @throws HostMessageError */
export function parseDeclaredTools(text: string | undefined, integration: string): readonly DeclaredTool[] {
	const tools = DeclaredTools.safeParse(parseJson(text, "its list of tools"));
	if (!tools.success) throw new HostMessageError("it declared tools in an unknown format");
	const { data } = tools;
	const isOwn = data.every(({ toolId }) => toolId.startsWith(`${integration}.`));
	const ids = new Set(data.map(({ toolId }) => toolId));
	const methods = new Set(data.map(({ method }) => method));
	if (!isOwn || ids.size < data.length || methods.size < data.length)
		throw new HostMessageError("it declared tools that belong to another integration, or the same tool twice");
	return data;
}

/** @throws HostMessageError */
export function parseProblems(text: string | undefined): readonly ToolProblem[] {
	const problems = Problems.safeParse(parseJson(text, "its list of problems"));
	if (!problems.success) throw new HostMessageError("it reported problems in an unknown format");
	return problems.data;
}
