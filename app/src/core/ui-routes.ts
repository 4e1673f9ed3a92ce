/** Addresses of the local server that are no `POST /api/<method>`. Pure: the page and the server share them. */

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

/** Every file of a run that is on this disk, as one archive. */
export function archiveRoute(threadId: string, runId: string, format: "zip" | "tar"): string {
	return `/archives/${encodeURIComponent(threadId)}/${encodeURIComponent(runId)}.${format}`;
}

/** Every file of a thread's folder that its runs delivered, as one archive. */
export function threadArchiveRoute(threadId: string, format: "zip" | "tar"): string {
	return `/archives/${encodeURIComponent(threadId)}/all.${format}`;
}

/** A turn's whole log as a JSON download, secrets redacted. */
export function runLogRoute(threadId: string, turnId: string): string {
	return `/runlogs/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}.json`;
}
