import { refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/** Text beyond this is cut; a page of more would stand still. */
const TEXT_BYTES = 1_000_000;

export interface ReadText {
	readonly text: string;
	/** Bytes that were read, when the file has more. */
	readonly begin?: number;
}

/** The begin of a file as UTF-8; undefined when a part of it is no text. @throws AppRefusal */
export async function readText(url: string, size: number, signal: AbortSignal): Promise<ReadText | undefined> {
	const isLong = size > TEXT_BYTES;
	const headers = { range: `bytes=0-${TEXT_BYTES - 1}` };
	const response = await reach(url, { signal, ...(isLong && { headers }) });
	if (!response.ok) throw await refusalOf(response);
	const bytes = new Uint8Array(await response.arrayBuffer());
	if (bytes.includes(0)) return undefined;
	// A letter that the end cuts in two is left out; what is no UTF-8 shows as such.
	const text = new TextDecoder().decode(bytes, { stream: isLong });
	return isLong ? { text, begin: bytes.length } : { text };
}
