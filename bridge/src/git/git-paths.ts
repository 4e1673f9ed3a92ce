/** A path as git stores it: its bytes, one character for each byte. */
export type RawPath = string;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The records in git's `-z` output, byte by byte. */
export function splitRecords(output: Buffer): readonly RawPath[] {
	const parts = output.toString("latin1").split("\0");
	if (parts.at(-1) === "") parts.pop();
	return parts;
}

/** Paths as the input of a git call with `-z`. */
export function joinRecords(paths: readonly RawPath[]): Buffer {
	return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** The path as text. `isWhole` is false if some bytes are not UTF-8; they appear as replacement characters. */
export function pathText(path: RawPath): { readonly text: string; readonly isWhole: boolean } {
	const bytes = Buffer.from(path, "latin1");
	try {
		return { text: decoder.decode(bytes), isWhole: true };
	} catch {
		return { text: bytes.toString("utf8"), isWhole: false };
	}
}
