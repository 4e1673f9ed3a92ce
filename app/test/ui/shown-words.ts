import { parseSync } from "vite";

/** A text of a source file that a user may see. */
export interface ShownWords {
	/** Where it belongs: `words.sidebar` for a section of the words, else the file. */
	readonly section: string;
	readonly text: string;
}

/** A name that the program uses: one word in small letters. */
const isCode = /^[a-z][a-z\d_-]*$/;

/** Constants that `words` is made of. */
const parts: ReadonlySet<string> = new Set(["threadWords", "pageWords"]);

interface Node {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** Every string, template and text of the page's markup in a file, except what it imports. */
export function shownWords(path: string, source: string): readonly ShownWords[] {
	const { program, errors } = parseSync(path, source);
	const [first] = errors;
	if (first !== undefined) throw new SyntaxError(`${path}: ${first.message}`);
	const found: ShownWords[] = [];
	collect(program, path, found);
	return found;
}

function collect(value: unknown, section: string, found: ShownWords[]): void {
	if (Array.isArray(value)) {
		for (const item of value) collect(item, section, found);
		return;
	}
	if (!isNode(value)) return;
	if (value.type === "ImportDeclaration" || (value.type.startsWith("TS") && !isNode(value.expression))) return;
	const text = textOf(value);
	if (text !== undefined && /\p{L}| %/u.test(text) && !isCode.test(text)) found.push({ section, text });
	const inner = sectionOf(value, section);
	for (const field of Object.values(value)) collect(field, inner, found);
}

function textOf({ type, value }: Node): string | undefined {
	if ((type === "Literal" || type === "JSXText") && typeof value === "string") return value.replaceAll(/\s+/g, " ").trim();
	if (type !== "TemplateElement" || typeof value !== "object" || value === null || !("raw" in value)) return undefined;
	return String(value.raw);
}

/** Sections of the words are the fields of `words` and the other constants of their files. */
function sectionOf({ type, id, key }: Node, section: string): string {
	if (section.startsWith("strings/") && type === "VariableDeclarator" && isNode(id)) {
		return parts.has(String(id.name)) ? "words" : String(id.name);
	}
	return section === "words" && type === "Property" && isNode(key) ? `words.${String(key.name)}` : section;
}

function isNode(value: unknown): value is Node {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
