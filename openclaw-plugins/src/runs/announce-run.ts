import { cutText } from "../platform/cut-text.ts";
import { type RunRecord, toTask } from "./run-record.ts";

/** Sends an event of the plugin to every connection that may read. */
export type Emit = (event: "run" | "approval", payload: unknown) => void;

/** The gateway takes texts of at most 64 Ki characters in an event; xworkmate.tasks.get has the rest. */
const MAX_EVENT_OUTPUT_BYTES = 32 * 1024;

/** Announces a run's state, which is on disk by now. */
export function announceRun(record: RunRecord, emit: Emit | undefined): void {
	const task = toTask(record);
	emit?.("run", task.output === undefined ? task : { ...task, output: shorten(task.output) });
}

function shorten(output: NonNullable<RunRecord["output"]>): NonNullable<RunRecord["output"]> {
	const { text, truncated } = cutText(output.text, MAX_EVENT_OUTPUT_BYTES);
	return { ...output, text, truncated: output.truncated || truncated };
}
