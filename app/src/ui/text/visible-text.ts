import { visibleName, writtenOut } from "../../text/visible-text.ts";

export { visibleName, visibleText } from "../../text/visible-text.ts";

/** Overrides, embeddings and isolates, without the marks and joiners that Arabic, Hebrew and Persian use. */
const REORDERS = /[\u202A-\u202E\u2066-\u2069]/gu;

/** Text from users and agents, in any script. Only characters that change the order of the text are written out. */
export function visibleProse(text: string): string {
	return text.replace(REORDERS, writtenOut);
}

/** Several lines of text as one line, for a list. */
export function oneLine(text: string): string {
	return visibleName(text.trim().replace(/\s+/g, " "));
}

/** A bridge's excerpt of a text, with the hidden characters, which the bridge writes as \u{...}, in the page's own notation. */
export function visibleExcerpt(excerpt: string): string {
	return visibleName(excerpt).replace(/\\u\{(10[\da-f]{4}|[\da-f]{1,5})\}/g, (_, code: string) =>
		writtenOut(String.fromCodePoint(parseInt(code, 16))),
	);
}
