import { z } from "zod";
import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import { reportedTask } from "./completion-event.ts";
import type { GatewayPlaces } from "./gateway-places.ts";
import { pathsInText } from "./paths-in-text.ts";
import { readToolEvidence } from "./read-tool-evidence.ts";

const EventRun = z.object({ runId: z.string() });
const EventCall = z.object({ toolCallId: z.string().optional() });
const Prompt = z.object({ prompt: z.string() });

function rootsOf({ workspaceDirectory }: RunRecord, places: GatewayPlaces): readonly string[] {
	return [...new Set([workspaceDirectory, places.media, ...places.temporary])];
}

/** Records the files that a finished tool call of one of our runs names, and the background task that it opened. */
export function noteToolCall(event: unknown, context: HookContext, registry: RunRegistry, places: GatewayPlaces): void {
	const record = registry.find(EventRun.safeParse(event).data?.runId ?? context.runId ?? "");
	if (record === undefined || record.sessionKey !== context.sessionKey) return;
	const toolCallId = EventCall.safeParse(event).data?.toolCallId ?? context.toolCallId;
	// A denied call names files that it never touched.
	if (toolCallId !== undefined && registry.live(record.runId)?.refused.has(toolCallId) === true) return;
	const evidence = readToolEvidence(event, record.workspaceDirectory, rootsOf(record, places));
	if (evidence === undefined) return;
	if (evidence.backgroundTask !== undefined) registry.addBackgroundTask(record.runId, evidence.backgroundTask);
	if (evidence.paths.length > 0) registry.addNamed(record.runId, evidence.by, evidence.paths);
}

/** Records the files of a background task that a run of this session opened, when a turn reports the task's end. */
export function noteReportedTask(event: unknown, context: HookContext, registry: RunRegistry, places: GatewayPlaces): void {
	if (context.sessionKey === undefined || context.inputProvenance === undefined) return;
	for (const record of registry.all().filter(({ sessionKey }) => sessionKey === context.sessionKey)) {
		const taskId = reportedTask(context, record);
		if (taskId === undefined) continue;
		registry.addNamed(record.runId, "result", pathsInText(Prompt.safeParse(event).data?.prompt ?? "", [places.media, ...places.temporary]));
		registry.addReportedTask(record.runId, taskId);
	}
}

/** Records the files that a run's final text attaches, each on its own line: `MEDIA:<path>`. */
export function noteReply(record: RunRecord, text: string, registry: RunRegistry, places: GatewayPlaces): void {
	const lines = text.split("\n").filter((line) => line.startsWith("MEDIA:"));
	const paths = lines.flatMap((line) => pathsInText(line, rootsOf(record, places)));
	if (paths.length > 0) registry.addNamed(record.runId, "reply", paths);
}
