const CUT = "…";

/**
 * The final text of a run: the end event's text or, if that is missing or truncated, the streamed text. (OpenClaw 2026.9 keeps 4,096
 * characters in the end event, and marks the truncation.)
 */
export function lastWords(atEnd: string | undefined, streamed: string | undefined): string | undefined {
	if (streamed === undefined || streamed === "") return atEnd;
	if (atEnd === undefined || atEnd === "") return streamed;
	return atEnd.endsWith(CUT) && streamed.startsWith(atEnd.slice(0, -CUT.length)) ? streamed : atEnd;
}
