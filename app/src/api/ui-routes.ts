/** Addresses of the local server other than `POST /api/<method>`. Pure, because the page and the server share them. */

/** The small state and its changes, newline-delimited JSON. */
export const CHANGES_ROUTE = "/api/changes";

/** One turn's updates after a seq, then live, newline-delimited JSON (TurnEvent). */
export function eventsRoute(threadId: string, turnId: string, afterSeq = 0): string {
	return `/api/events/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}?afterSeq=${afterSeq}`;
}

/**
 * One file of a run, with Range. `inline` for previews: types that a browser shows come as what they are, in a
 * sandbox without scripts and network; everything else is a download. `kept`: not the run's file, but what it replaced.
 */
export function fileRoute(threadId: string, runId: string, relativePath: string, use: "inline" | "download", kept?: string): string {
	const path = relativePath.split("/").map(encodeURIComponent).join("/");
	const query = kept !== undefined ? `?kept=${kept}` : use === "download" ? "?download=1" : "";
	return `/files/${encodeURIComponent(threadId)}/${encodeURIComponent(runId)}/${path}${query}`;
}

/** What an archive would lack now, and why: neither the folder nor the bridge gives it. */
export interface ArchiveCheck {
	/** Number of files that it would contain. */
	readonly files: number;
	readonly lacking: readonly { readonly path: string; readonly message: string }[];
}

/** `check` = answers with an ArchiveCheck; `partial` = without what is lacking, which is refused otherwise. */
export type ArchiveUse = "whole" | "check" | "partial";

/**
 * Every file of a run, or, without one, of the thread, as one archive: what the folder has now, and the bridge's copy of what
 * it does not have.
 */
export function archiveRoute(threadId: string, runId: string | undefined, format: "zip" | "tar", use: ArchiveUse = "whole"): string {
	const query = use === "whole" ? "" : `?${use}=1`;
	return `/archives/${encodeURIComponent(threadId)}/${encodeURIComponent(runId ?? "all")}.${format}${query}`;
}

/** A turn's whole log as a JSON download, secrets redacted. */
export function runLogRoute(threadId: string, turnId: string): string {
	return `/runlogs/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}.json`;
}
