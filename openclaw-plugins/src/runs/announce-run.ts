import { cutText } from "../platform/cut-text.ts";
import { type RunRecord, toTask } from "./run-record.ts";

/** Sends an event of the plugin to every connection that may read it. */
export type Emit = (event: "run" | "approval", payload: unknown) => void;

/** The gateway limits strings in an event to 64 Ki characters; xworkmate.tasks.get returns the longer text. */
const MAX_EVENT_OUTPUT_BYTES = 32 * 1024;

/** Announces a run's state, which is already on disk. */
export function announceRun(record: RunRecord, emit: Emit | undefined): void {
	const task = toTask(record);
	emit?.("run", task.output === undefined ? task : { ...task, output: shorten(task.output) });
}

function shorten(output: NonNullable<RunRecord["output"]>): NonNullable<RunRecord["output"]> {
	const { text, truncated } = cutText(output.text, MAX_EVENT_OUTPUT_BYTES);
	return { ...output, text, truncated: output.truncated || truncated };
}
