import { visibleName, writtenOut } from "./visible-text.ts";

/**
 * A space of unusual width between two visible characters, such as the one that macOS puts before AM and PM. Beside another space, or at an
 * end of a file's or folder's name, it could hide where the name ends.
 */
const LONE_SPACE = /(?<=[\p{L}\p{N}\p{P}\p{S}])(?<!\/)[\u00A0\u2000-\u200A\u202F\u205F\u3000](?!\/)(?=[\p{L}\p{N}\p{P}\p{S}])/gu;

/** Normal spaces that a page or Markdown leaves out: at an end of a file's or folder's name, or beside another one. */
const LOST_SPACES = /(?<=^|\/) +| +(?=\/|$)| {2,}/g;

/** A file's name with invisible characters, unusual spaces and decomposed letters written out, so that a difference in them is visible. */
export function exactFileName(name: string): string {
	return exactSpaces(composed(name) ? name : decomposedOut(name));
}

/** True if the name is in normal form (NFC). The name of a delivered file always is: others are rejected. */
function composed(name: string): boolean {
	return name.normalize("NFC") === name;
}

/** Writes an "é" that consists of two characters as "e⟨U+0301⟩", because it would look like the "é" that is a single character. */
function decomposedOut(name: string): string {
	return [...graphemes.segment(name)].map(({ segment }) => (composed(segment) ? segment : spelledOut(segment))).join("");
}

function spelledOut(grapheme: string): string {
	const [first = "", ...rest] = grapheme;
	return [composed(first) ? first : writtenOut(first), ...rest.map(writtenOut)].join("");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function exactSpaces(name: string): string {
	return visibleName(name).replace(LOST_SPACES, (spaces) => writtenOut(" ").repeat(spaces.length));
}

/**
 * A file's name in readable form: a single unusual space between visible characters becomes a normal space; any other space that could not
 * be seen, and any invisible character, is written out. An accent that is a separate character is not written out, because macOS uses such
 * accents in file names.
 */
export function fileName(name: string): string {
	return exactSpaces(name.replace(LONE_SPACE, " "));
}

/** How to show each name in a list. Names that would look the same are written out. */
export function fileNames(names: readonly string[]): (name: string) => string {
	const uses = new Map<string, number>();
	const look = (name: string) => fileName(name).normalize("NFC");
	for (const name of new Set(names)) uses.set(look(name), (uses.get(look(name)) ?? 0) + 1);
	return (name) => ((uses.get(look(name)) ?? 1) === 1 ? fileName(name) : exactFileName(name));
}
