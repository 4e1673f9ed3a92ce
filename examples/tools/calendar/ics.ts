import { ToolFailed } from "@xworkmate/tool";

/** One line of iCalendar text (RFC 5545), as it was read. */
export interface Line {
	readonly name: string;
	/** By name, in upper case. */
	readonly params: Readonly<Record<string, string>>;
	readonly value: string;
	/** The whole line, so that what is not understood is written back as it was. */
	readonly text: string;
}

export interface Component {
	readonly name: string;
	readonly lines: readonly Line[];
	readonly parts: readonly Component[];
}

const MAX_DEPTH = 10;
const FOLD_BYTES = 75;

/** @throws ToolFailed for a text that is not one calendar */
export function parseCalendar(text: string): Component {
	const open: { name: string; lines: Line[]; parts: Component[] }[] = [];
	let calendar: Component | undefined;
	for (const [index, unfolded] of unfold(text).entries()) {
		if (unfolded === "") continue;
		const line = parseLine(unfolded, index + 1);
		if (line.name === "BEGIN") {
			if (calendar !== undefined || open.length === MAX_DEPTH) throw notACalendar(index + 1);
			open.push({ name: line.value.toUpperCase(), lines: [], parts: [] });
			continue;
		}
		const current = open.at(-1);
		if (current === undefined) throw notACalendar(index + 1);
		if (line.name !== "END") {
			current.lines.push(line);
			continue;
		}
		if (line.value.toUpperCase() !== current.name) throw notACalendar(index + 1);
		open.pop();
		const parent = open.at(-1);
		if (parent === undefined) calendar = current;
		else parent.parts.push(current);
	}
	if (calendar?.name !== "VCALENDAR" || open.length > 0) throw notACalendar(text.split("\n").length);
	return calendar;
}

export function writeCalendar(component: Component): string {
	return linesOf(component)
		.map((line) => `${fold(line)}\r\n`)
		.join("");
}

/** A line of our own. The value is written as it is; text goes through `escapeText`. */
export function newLine(name: string, value: string): Line {
	return { name, params: {}, value, text: `${name}:${value}` };
}

export function escapeText(text: string): string {
	return text
		.replace(/[\\;,]/g, "\\$&")
		.replace(/\r\n|\r|\n/g, "\\n")
		.replace(/(?!\t)\p{Cc}/gu, "");
}

export function unescapeText(text: string): string {
	return text.replace(/\\(.)/g, (_, letter: string) => (letter === "n" || letter === "N" ? "\n" : letter));
}

function linesOf({ name, lines, parts }: Component): string[] {
	return [`BEGIN:${name}`, ...lines.map(({ text }) => text), ...parts.flatMap(linesOf), `END:${name}`];
}

function unfold(text: string): string[] {
	return text
		.replace(/^\ufeff/, "")
		.replace(/\r?\n[ \t]/g, "")
		.split(/\r?\n/);
}

/** Lines are at most 75 bytes long, and no character is cut. */
function fold(line: string): string {
	let folded = "";
	let room = FOLD_BYTES;
	for (const character of line) {
		const size = Buffer.byteLength(character);
		if (size > room) {
			folded += "\r\n ";
			room = FOLD_BYTES - 1;
		}
		folded += character;
		room -= size;
	}
	return folded;
}

/** `NAME;PARAM=value;PARAM="quoted: value":value` */
function parseLine(text: string, number: number): Line {
	const parts: string[] = [];
	let start = 0;
	let isQuoted = false;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') isQuoted = !isQuoted;
		if (isQuoted || (character !== ";" && character !== ":")) continue;
		parts.push(text.slice(start, at));
		start = at + 1;
		if (character === ":") {
			const [name = "", ...params] = parts;
			return { name: name.toUpperCase(), params: Object.fromEntries(params.map(parameter)), value: text.slice(start), text };
		}
	}
	throw notACalendar(number);
}

function parameter(text: string): [string, string] {
	const at = text.indexOf("=");
	return [text.slice(0, at).toUpperCase(), text.slice(at + 1).replace(/^"|"$/g, "")];
}

function notACalendar(line: number): ToolFailed {
	return new ToolFailed(`This is not a calendar in the iCalendar format (line ${line}).`);
}
