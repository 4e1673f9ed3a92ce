/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
	readonly start: number;
	readonly end: number;
}

/**
 * The single range that a Range header requests (RFC 9110, section 14). Undefined: send the whole file, since a server may ignore other
 * units, several ranges and malformed ranges. "unsatisfiable": the file has none of these bytes (416).
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | undefined {
	const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
	if (first === "" && last === "") return undefined;
	if (first === "") return suffix(Number(last), sizeBytes);
	const start = Number(first);
	if (last !== "" && Number(last) < start) return undefined;
	if (start >= sizeBytes) return "unsatisfiable";
	return { start, end: last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}

function suffix(length: number, sizeBytes: number): ByteRange | "unsatisfiable" {
	return length === 0 || sizeBytes === 0 ? "unsatisfiable" : { start: Math.max(0, sizeBytes - length), end: sizeBytes };
}
