/** Addresses of the local server other than `POST /api/<method>`. Pure, because the page and the server share them. */

/** The small state and its changes, newline-delimited JSON. */
export const CHANGES_ROUTE = "/api/changes";

/** The updates of one turn after a seq, then live, as newline-delimited JSON (TurnEvent). */
export function eventsRoute(threadId: string, turnId: string, afterSeq = 0): string {
	return `/api/events/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}?afterSeq=${afterSeq}`;
}

/**
 * One file of a run, with Range support. `inline` is for previews: media and HTML are served under their own type and other text as plain
 * text, all but PDF in a sandbox without scripts or network access; everything else is a download. `kept`: the file that the run's file
 * replaced, always inline.
 */
export function fileRoute(threadId: string, runId: string, relativePath: string, use: "inline" | "download", kept?: string): string {
	const path = relativePath.split("/").map(encodeURIComponent).join("/");
	const query = kept !== undefined ? `?kept=${kept}` : use === "download" ? "?download=1" : "";
	return `/files/${encodeURIComponent(threadId)}/${encodeURIComponent(runId)}/${path}${query}`;
}

/** The bridge's export of receipts, each line wrapped in a JSON document (ExportLine). */
export function receiptLinesRoute(of: ReceiptsOf = {}): string {
	return `${RECEIPT_LINES_ROUTE}${chainQuery(of)}`;
}

/** A plan's log after a seq, then live, as newline-delimited JSON (PlanLine). */
export function planLinesRoute(planId: string, afterSeq = 0): string {
	return `${PLAN_LINES_ROUTE}/${encodeURIComponent(planId)}?afterSeq=${afterSeq}`;
}

export const PLAN_LINES_ROUTE = "/api/plans";

/** Verifies receipts, as newline-delimited JSON (VerificationLine). `head`: a hash that the user noted earlier. */
export function verificationRoute({ head, ...of }: ReceiptsOf & { readonly head?: string | undefined } = {}): string {
	const query = chainQuery(of);
	return `${VERIFICATION_ROUTE}${query}${head === undefined ? "" : `${query === "" ? "?" : "&"}head=${head}`}`;
}

export const VERIFICATION_ROUTE = "/api/verifyReceipts";

/** Verifies what is stored in the home, as newline-delimited JSON (HomeLine). */
export function homeVerificationRoute({ only }: { readonly only?: "disk" | "asked" } = {}): string {
	return `${HOME_VERIFICATION_ROUTE}${only === undefined ? "" : `?only=${only}`}`;
}

export const HOME_VERIFICATION_ROUTE = "/api/verifyHome";

export const RECEIPT_LINES_ROUTE = "/api/receipts";

/** Files that would be missing from an archive, each with the reason: neither the folder nor the bridge can provide it. */
export interface ArchiveCheck {
	/** The number of files that the archive would contain. */
	readonly files: number;
	readonly lacking: readonly { readonly path: string; readonly message: string }[];
}

/**
 * `whole`: the archive is refused if a file cannot be provided. `partial`: such files are left out. `check`: answers with an ArchiveCheck
 * instead of an archive.
 */
export type ArchiveUse = "whole" | "check" | "partial";

/**
 * One archive with the files of a run or, without a run, with one file for each path that the thread's successful runs delivered. Files
 * that are in the folder are taken from there, missing ones from the bridge's copies.
 */
export function archiveRoute(threadId: string, runId: string | undefined, format: "zip" | "tar", use: ArchiveUse = "whole"): string {
	const query = use === "whole" ? "" : `?${use}=1`;
	return `/archives/${encodeURIComponent(threadId)}/${encodeURIComponent(runId ?? "all")}.${format}${query}`;
}

/** A thread as one Markdown document, or as a zip with its files, as a download. */
export function exportRoute(threadId: string, format: "md" | "zip"): string {
	return `/exports/${encodeURIComponent(threadId)}.${format}`;
}

/** The same export, piece by piece, as newline-delimited JSON (ExportPiece). */
export function exportLinesRoute(threadId: string, format: "md" | "zip"): string {
	return `${EXPORT_LINES_ROUTE}/${encodeURIComponent(threadId)}?format=${format}`;
}

export const EXPORT_LINES_ROUTE = "/api/exports";

/** A turn's complete log as a JSON download, with secrets redacted. */
export function runLogRoute(threadId: string, turnId: string): string {
	return `/runlogs/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}.json`;
}

/** Receipts with the signed ledger, as JSON lines for an independent checker. */
export function receiptsExportRoute(of: ReceiptsOf = {}): string {
	return `/receipts.ndjson${chainQuery(of)}`;
}

/** One run or one plan; without either, all. */
interface ReceiptsOf {
	readonly runId?: string | undefined;
	readonly planId?: string | undefined;
}

function chainQuery({ runId, planId }: ReceiptsOf): string {
	if (planId !== undefined) return `?planId=${encodeURIComponent(planId)}`;
	return runId === undefined ? "" : `?runId=${encodeURIComponent(runId)}`;
}
