const CUT = "…";

/**
 * The last words of a run: what its end says, or what it streamed when the end says nothing, or says the same
 * cut short (OpenClaw 2026.9 keeps 4,096 characters there and marks the cut).
 */
export function lastWords(atEnd: string | undefined, streamed: string | undefined): string | undefined {
	if (streamed === undefined || streamed === "") return atEnd;
	if (atEnd === undefined || atEnd === "") return streamed;
	return atEnd.endsWith(CUT) && streamed.startsWith(atEnd.slice(0, -CUT.length)) ? streamed : atEnd;
}
