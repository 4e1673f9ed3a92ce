import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRecord } from "../runs/run-record.ts";

/**
 * The background task whose end a turn reports, if this run opened it. When such a task has ended, the gateway begins a turn of its own in
 * the same conversation, with `<kind>:<taskId>` as the turn's source, and names the task's files in the prompt.
 */
export function reportedTask({ inputProvenance }: HookContext, { evidence }: RunRecord): string | undefined {
	if (inputProvenance?.kind !== "inter_session") return undefined;
	const source = inputProvenance.sourceSessionKey;
	return evidence.backgroundTasks.find((taskId) => source?.endsWith(`:${taskId}`));
}
