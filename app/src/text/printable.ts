import { stripVTControlCharacters } from "node:util";
import { cutLine, shortened } from "./cut-line.ts";

/** Characters that reorder or hide text: shown as escapes, so that text cannot disguise itself. */
const DECEPTIVE =
	/[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** A control sequence without its end: the introducer, followed by parameters or a string. */
const UNFINISHED = /^.(?:[[()#]?[\d;:?<=>!]*|[\]PX^_]\P{Cc}*)$/su;
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Text from an agent, a model or a file name made safe for a terminal, without control sequences. */
export function printable(text: string): string {
	return stripVTControlCharacters(text).replaceAll("\r\n", "\n").replace(CONTROL, "").replace(DECEPTIVE, written);
}

/** The same, on one line and shortened to a length in characters. */
export function oneLine(text: string, length = 120): string {
	return cutLine(printable(text), length);
}

/** A path on one line, shortened to a length in characters. Its spaces stay as they are, because another name would be another file. */
export function pathLine(path: string, length = 300): string {
	return shortened(printable(path).replace(/[\n\t]/g, written), length);
}

/**
 * What the user is asked to allow, made safe for a terminal. Control characters are shown as escapes too, because the user has to see that
 * a title or a file's name contains them.
 */
export function revealed(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(CONTROL, written).replace(DECEPTIVE, written);
}

/** The same text on one line, shortened to a length in characters. */
export function revealedLine(text: string, length = 120): string {
	return cutLine(revealed(text), length);
}

function written(character: string): string {
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Cleans a stream of chunks: a chunk's end may split a control sequence, so an unfinished one is held back until the next chunk. */
export class PrintableStream {
	#held = "";

	push(piece: string): string {
		const text = this.#held + piece;
		const start = Math.max(text.lastIndexOf("\u001b"), text.lastIndexOf("\u009b"), text.lastIndexOf("\u009d"));
		const tail = text.slice(Math.max(start, 0));
		// A longer tail is not held back: without its control characters, it is harmless text.
		const open = start >= 0 && tail.length < 256 && UNFINISHED.test(tail);
		const cut = open ? start : text.length;
		this.#held = text.slice(cut);
		return printable(text.slice(0, cut));
	}

	end(): string {
		const rest = printable(this.#held);
		this.#held = "";
		return rest;
	}
}
