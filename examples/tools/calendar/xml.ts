import { ToolFailed } from "@xworkmate/tool";

/** An element of a WebDAV answer. Prefixes are left out: the names are those of WebDAV and CalDAV, which do not collide. */
export interface Element {
	readonly name: string;
	readonly children: readonly Element[];
	/** Of the element itself, without that of its children. */
	readonly text: string;
}

const MAX_DEPTH = 30;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads what servers answer: no document types, no entities of their own. */
export function parseXml(text: string): Element {
	const root = { name: "", children: [] as Element[], text: "" };
	const open = [root];
	let at = 0;
	const until = (mark: string) => {
		const end = text.indexOf(mark, at);
		if (end === -1) throw notXml();
		const part = text.slice(at, end);
		at = end + mark.length;
		return part;
	};
	while (at < text.length) {
		const current = open.at(-1) ?? root;
		if (text[at] !== "<") {
			const end = text.indexOf("<", at);
			current.text += decoded(text.slice(at, end === -1 ? undefined : end));
			at = end === -1 ? text.length : end;
		} else if (text.startsWith("<![CDATA[", at)) {
			at += 9;
			current.text += until("]]>");
		} else if (text.startsWith("<!--", at)) until("-->");
		else if (text.startsWith("<?", at)) until("?>");
		else if (text.startsWith("<!", at)) throw notXml();
		else {
			at += 1;
			const tag = until(">");
			const name = localName(tag);
			if (tag.startsWith("/")) {
				if (open.length === 1 || current.name !== name) throw notXml();
				open.pop();
				continue;
			}
			const element = { name, children: [] as Element[], text: "" };
			current.children.push(element);
			if (!tag.endsWith("/")) open.push(element);
			if (open.length > MAX_DEPTH) throw notXml();
		}
	}
	const [document] = root.children;
	if (document === undefined || open.length !== 1) throw notXml();
	return document;
}

/** All elements of a name among the children, then among theirs, and so on along the path. */
export function childrenAt(element: Element, ...path: readonly string[]): readonly Element[] {
	return path.reduce<readonly Element[]>(
		(found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
		[element],
	);
}

export function escapeXml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** `</D:href>`, `<D:href/>` and `<href xmlns="DAV:">` are all `href`. */
function localName(tag: string): string {
	const name = /^\/?([^\s/]+)/.exec(tag)?.[1] ?? "";
	return name.slice(name.indexOf(":") + 1);
}

function decoded(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal: string, hex: string, name: string) => {
		if (name !== undefined) return ENTITIES[name] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}

function notXml(): ToolFailed {
	return new ToolFailed("The calendar server's answer is not XML as CalDAV has it.");
}
