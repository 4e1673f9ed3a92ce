import { refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/** Longer text is truncated, because rendering more would block the page. */
const TEXT_BYTES = 1_000_000;

export interface ReadText {
	readonly text: string;
	/** The number of bytes that were read; absent if the whole file was read. */
	readonly begin?: number;
}

/**
 * The beginning of a file as UTF-8; undefined if it is not text.
 * @throws AppRefusal
 */
export async function readText(url: string, size: number, signal: AbortSignal): Promise<ReadText | undefined> {
	const isLong = size > TEXT_BYTES;
	const headers = { range: `bytes=0-${TEXT_BYTES - 1}` };
	const response = await reach(url, { signal, ...(isLong && { headers }) });
	if (!response.ok) throw await refusalOf(response);
	const bytes = new Uint8Array(await response.arrayBuffer());
	if (bytes.includes(0)) return undefined;
	// A character that is cut off at the end is left out. Invalid UTF-8 is shown as replacement characters.
	const text = new TextDecoder().decode(bytes, { stream: isLong });
	return isLong ? { text, begin: bytes.length } : { text };
}
