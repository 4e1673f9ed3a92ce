import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRecord } from "../runs/run-record.ts";

/**
 * The background task whose end a turn reports, if this run opened it: the gateway then begins its own turn in the same conversation, with
 * `<kind>:<taskId>` as its source, and names the files in its prompt.
 */
export function reportedTask({ inputProvenance }: HookContext, { evidence }: RunRecord): string | undefined {
	if (inputProvenance?.kind !== "inter_session") return undefined;
	const source = inputProvenance.sourceSessionKey;
	return evidence.backgroundTasks.find((taskId) => source?.endsWith(`:${taskId}`));
}
