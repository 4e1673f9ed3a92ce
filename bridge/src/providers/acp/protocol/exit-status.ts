import { z } from "zod";
import { isRecord } from "./is-record.ts";

/** Agents send an exit status as a number or as its digits. */
const Exit = z.union([
	z.number(),
	z
		.string()
		.regex(/^-?\d{1,10}$/)
		.transform(Number),
]);
/**
 * Fields that only ever hold the exit status of a process. `returnCode` is left out, because other calls have it too, such as one that
 * fetches a page.
 */
const exitKeys = ["exitCode", "exit_code", "exitStatus", "exit_status", "returncode"] as const;
const errorKeys = ["isError", "is_error"] as const;

/** What one report shows of how its call ended, apart from the state that the agent gives it. */
export interface Ending {
	/** The exit status: the first other than 0, if the report names several. */
	readonly exit?: number;
	/** True if the report is marked as an error. */
	readonly isError: boolean;
}

/** Reads `rawOutput`, as `{"exitCode": 1}` or `{"metadata": {"exit": 1}}`, and `_meta`, as `{"terminal_exit": {"exit_code": 1}}`. Pure. */
export function endingOf(rawOutput: unknown, meta: unknown): Ending {
	const output = fieldsOf(rawOutput);
	const named = [...exitKeys.map((key) => output[key]), fieldsOf(output.metadata).exit, fieldsOf(fieldsOf(meta).terminal_exit).exit_code];
	const exits = named.flatMap((value) => Exit.safeParse(value).data ?? []);
	const exit = exits.find((status) => status !== 0) ?? exits[0];
	return { ...(exit !== undefined && { exit }), isError: errorKeys.some((key) => output[key] === true) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : {};
}
