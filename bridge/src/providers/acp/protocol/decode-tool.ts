import { type Diff, type Location, limits, type Preview, ToolKind } from "@xworkmate/contracts";
import { z } from "zod";
import type { ToolCallChange, ToolInput } from "../../agent-update.ts";
import { boundedTitle, firstBytes, isTitleTooLong, previewOf, readable } from "../../preview.ts";
import { toolCallIdOf } from "../../tool-call-id.ts";
import type { ToolParts } from "./call-facts.ts";
import { commandOf } from "./command-line.ts";
import { contentText } from "./decode-content.ts";
import { type Ending, endingOf } from "./exit-status.ts";

const PATH_BYTES = 4_096;
const MAX_DIFFS = 20;
const MAX_LOCATIONS = 50;

/** A field that is missing, null or malformed is ignored; the rest of the update is used. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const WireTool = z.object({
	toolCallId: z.union([z.string().min(1), z.number()]),
	title: lenient(z.string()),
	kind: lenient(ToolKind),
	status: lenient(z.enum(["pending", "in_progress", "completed", "failed"])),
	content: lenient(z.array(z.unknown())),
	locations: lenient(z.array(z.unknown())),
	rawInput: z.unknown().optional(),
	rawOutput: z.unknown().optional(),
	_meta: z.unknown().optional(),
});

const WireDiff = z.object({ type: z.literal("diff"), path: z.string(), oldText: lenient(z.string()), newText: z.string() });
const WireContent = z.object({ type: z.literal("content"), content: z.unknown() });
const WireLocation = z.object({ path: z.string().min(1), line: lenient(z.int().min(0)) });

const states = { pending: "pending", in_progress: "running", completed: "completed", failed: "failed" } as const;

/** Decodes a tool call; undefined if the value names none. Kinds and titles are the agent's unverified claims. */
export function decodeToolCall(value: unknown): ToolCallChange | undefined {
	const parsed = WireTool.safeParse(value);
	if (!parsed.success) return undefined;
	const { toolCallId, title, kind, status, content = [], locations = [], rawInput, rawOutput, _meta: meta } = parsed.data;
	const input = toolInput(rawInput);
	const ending = endingOf(rawOutput, meta);
	const output = toolOutput(content, rawOutput);
	const whole = content.length === 0 ? undefined : readable(content);
	const diffs = content.flatMap(toDiff);
	const diff = diffs.slice(0, MAX_DIFFS);
	const places = locations.flatMap(toLocation).slice(0, MAX_LOCATIONS);
	return {
		toolCallId: toolCallIdOf(String(toolCallId)),
		...(title === undefined || title === "" ? {} : { title: boundedTitle(title) }),
		...(kind === undefined ? {} : { toolKind: kind }),
		...(status === undefined ? {} : { state: stateOf(status, ending) }),
		...(ending.exit !== undefined && { hasExited: true as const }),
		...(input === undefined ? {} : { input }),
		...(whole === undefined ? {} : { content: whole }),
		...(output === undefined ? {} : { output }),
		...(diff.length === 0 ? {} : { diff }),
		...(diff.length < diffs.length && { lacksDiffs: true as const }),
		...(places.length === 0 ? {} : { locations: places }),
	};
}

/** The data of one message about a call, to be added to the call's facts. */
export function toolParts(value: unknown): ToolParts {
	const { title, content = [], locations = [], rawInput } = WireTool.safeParse(value).data ?? {};
	return { rawInput, content, locations, isTitleCut: title !== undefined && isTitleTooLong(title) };
}

/** A command with an exit status other than 0, or a call whose output is an error, has failed: "completed" then means only that it ran. */
function stateOf(status: keyof typeof states, { exit = 0, isError }: Ending): (typeof states)[keyof typeof states] {
	return status === "completed" && (exit !== 0 || isError) ? "failed" : states[status];
}

function toolInput(rawInput: unknown): ToolInput | undefined {
	if (rawInput === undefined || rawInput === null) return undefined;
	const whole = readable(rawInput);
	if (whole === undefined) return undefined;
	const command = commandOf(rawInput);
	return { preview: previewOf(whole), whole, ...(command !== undefined && { command }) };
}

function toolOutput(content: readonly unknown[], rawOutput: unknown): Preview | undefined {
	const texts = content.flatMap((item) => {
		const parsed = WireContent.safeParse(item);
		return parsed.success ? [contentText(parsed.data.content)] : [];
	});
	const text = texts.filter((part) => part !== "").join("\n");
	if (text !== "") return previewOf(text);
	if (rawOutput === undefined || rawOutput === null) return undefined;
	const written = readable(rawOutput);
	return written === undefined ? undefined : previewOf(written);
}

function toDiff(item: unknown): Diff[] {
	const parsed = WireDiff.safeParse(item);
	if (!parsed.success) return [];
	const { path, oldText, newText } = parsed.data;
	// Each side gets half, so that both together fit within one preview.
	const before = oldText === undefined ? undefined : firstBytes(oldText, limits.previewBytes / 2);
	const after = firstBytes(newText, limits.previewBytes / 2);
	const truncated = after.length < newText.length || (before ?? "").length < (oldText ?? "").length;
	return [{ path: firstBytes(path, PATH_BYTES), ...(before === undefined ? {} : { oldText: before }), newText: after, truncated }];
}

function toLocation(item: unknown): Location[] {
	const parsed = WireLocation.safeParse(item);
	if (!parsed.success) return [];
	const { path, line } = parsed.data;
	return [{ path: firstBytes(path, PATH_BYTES), ...(line === undefined ? {} : { line }) }];
}
