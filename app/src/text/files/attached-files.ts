import type { DeliveryAction, Occurrence, PayloadPart } from "@xworkmate/contracts";
import { formatBytes } from "../format-measure.ts";

/** The maximum number of files that a line names. */
const NAMED = 20;
/** The bridge's error codes for a run's files that are no longer stored or have changed. */
const GONE: ReadonlySet<unknown> = new Set(["RUN_EXPIRED", "ARTIFACT_CHANGED"]);

/**
 * Whether files go, or went, with a message. A message gets the files of the run that did the work, once there is a message. The files
 * don't change after that.
 */
export function mayHaveFiles({ runs, deliverable }: Pick<Occurrence, "runs" | "deliverable">, action: DeliveryAction): boolean {
	const isWritten = action.content !== undefined || deliverable !== undefined;
	return action.attach === true && isWritten && runs.some(({ status }) => status === "completed");
}

/**
 * The files of a message with their sizes: "Files: report.pdf (2.1 MB)". Undefined if the message has none.
 * @param nameOf makes hidden characters in a name visible
 */
export function filesLine(parts: readonly PayloadPart[], nameOf: (name: string) => string): string | undefined {
	const files = parts.filter(({ kind }) => kind === "file");
	if (files.length === 0) return undefined;
	const named = files.slice(0, NAMED).map(({ name = "", bytes }) => `${nameOf(name)} (${formatBytes(bytes)})`);
	return `Files: ${named.join(", ")}${files.length > NAMED ? ` and ${files.length - NAMED} more` : ""}`;
}

/** What to say if the files are no longer available. Undefined for an error that has another cause. */
export function goneFilesLine(error: unknown): string | undefined {
	const isGone = error instanceof Error && "code" in error && GONE.has(error.code);
	return isGone ? "Its files are no longer available." : undefined;
}
