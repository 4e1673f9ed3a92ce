import { stripVTControlCharacters } from "node:util";
import { Redaction } from "@xworkmate/contracts";

const KEPT_BYTES = 64 * 1024;
const none = new Redaction([]);

/** Keeps the end of what a process writes, in bounded memory. */
export class BoundedTail {
	readonly #parts: Buffer[] = [];
	#kept = 0;
	/** The total number of bytes written. */
	written = 0;

	append(bytes: Buffer): void {
		this.written += bytes.length;
		this.#parts.push(bytes.subarray(-KEPT_BYTES));
		this.#kept += this.#parts.at(-1)?.length ?? 0;
		while (this.#kept - (this.#parts[0]?.length ?? 0) >= KEPT_BYTES) this.#kept -= this.#parts.shift()?.length ?? 0;
	}

	/** The text without control characters other than tabs and line feeds, and without anything that looks like a secret. */
	text(): string {
		const text = Buffer.concat(this.#parts).subarray(-KEPT_BYTES).toString("utf8");
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
		return none.text(stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ""));
	}
}
