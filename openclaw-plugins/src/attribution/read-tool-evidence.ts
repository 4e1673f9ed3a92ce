import { isAbsolute, join, resolve } from "node:path";
import { omitUndefined } from "@xworkmate/contracts";
import { z } from "zod";
import type { NamedBy } from "../runs/run-record.ts";
import { isReadOnly } from "../tools/classify-call.ts";
import { HeldToolCall } from "../tools/tool-call.ts";
import { writtenPaths } from "../tools/written-paths.ts";
import { pathsInText } from "./paths-in-text.ts";
import { textsIn } from "./texts-in.ts";

const ToolResult = z.object({
	result: z.object({ details: z.object({ async: z.literal(true), taskId: z.string().min(1).max(200) }) }),
});

export interface ToolEvidence {
	readonly by: NamedBy;
	/** Absolute. */
	readonly paths: readonly string[];
	/** Id of a task that continues after the call. */
	readonly backgroundTask?: string;
}

/**
 * The files that a finished tool call of a run names, and the task that it opened. File tools name what they wrote, commands name what they
 * mention, and other tools that act name what they made. Tools that only read are ignored.
 */
export function readToolEvidence(event: unknown, workspace: string, roots: readonly string[]): ToolEvidence | undefined {
	const call = HeldToolCall.safeParse(event).data;
	if (call === undefined || isReadOnly(call)) return undefined;
	const written = writtenPaths(call);
	if (written !== undefined)
		return { by: "write", paths: written.map((path) => (isAbsolute(path) ? resolve(path) : join(workspace, path))) };
	const result = z.object({ result: z.unknown().optional() }).safeParse(event).data?.result;
	const isCommand = call.toolName === "exec" || call.toolName === "process";
	const texts = isCommand ? [...textsIn(call.params), ...textsIn(result)] : textsIn(result);
	const paths = texts.flatMap((text) => pathsInText(text, roots));
	const backgroundTask = ToolResult.safeParse(event).data?.result.details.taskId;
	return { by: isCommand ? "exec" : "result", paths, ...omitUndefined({ backgroundTask }) };
}
