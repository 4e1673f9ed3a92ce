import { visible, visibleWithin } from "@xworkmate/contracts";

/** What Discord reads as markup. A backslash before it shows it as it is. */
const MARKUP = /[\\`*_~|<>#@:[\]()\-+.!]/g;
/** A code block, or code in a line: Discord shows what is in it as it is, backslashes too. */
const CODE = /```[\s\S]*?(?:```|$)|(`{1,2})(?!`)[^`\n]+\1(?!`)/g;

/** Foreign words on one line, of which nothing takes effect: no mention, no markup, no link, no hidden character. Pure. */
export function plainWords(text: string, most = 300): string {
	return visibleWithin(text.replaceAll(/\s+/g, " ").trim(), most).replaceAll(MARKUP, "\\$&");
}

/**
 * An answer: its paragraphs, lists, emphasis and code stay. Mentions, links behind other words, hidden text, and the marks that only the
 * bridge's own lines begin with are shown as they were written. Pure.
 */
export function answerText(text: string): string {
	let done = 0;
	let shown = "";
	const readable = visibleLines(text);
	for (const found of readable.matchAll(CODE)) {
		shown += withoutEffect(readable.slice(done, found.index)) + found[0];
		done = found.index + found[0].length;
	}
	const rest = shown + withoutEffect(readable.slice(done));
	// What follows the answer must not be taken for the rest of its code.
	return isFenceOpen(rest) ? `${rest}\n\`\`\`` : rest;
}

/** Text for a code block of its own: nothing in it ends the block. JSON keeps its meaning. Pure. */
export function fencedJson(json: string): string {
	return `\`\`\`json\n${visibleLines(json).replaceAll("`", "\\u0060")}\n\`\`\``;
}

/** A text as it is, in a code block of its own, with what it hides made visible; undefined if it could end the block. Pure. */
export function fencedText(text: string): string | undefined {
	return text.includes("```") || text.endsWith("`") ? undefined : `\`\`\`text\n${visibleLines(text)}\n\`\`\``;
}

/** True if the text ends within a code block. Pure. */
export function isFenceOpen(text: string): boolean {
	return (text.split("```").length - 1) % 2 === 1;
}

/** Shows hidden characters and keeps lines and tabs. */
function visibleLines(text: string): string {
	return text
		.replaceAll("\r\n", "\n")
		.split("\n")
		.map((line) => line.split("\t").map(visible).join("\t"))
		.join("\n");
}

function withoutEffect(text: string): string {
	return (
		text
			// Before anything else, so that a backslash in the text cannot take the one that is added here.
			.replaceAll(/\\(?=[<@|\]>`-])/g, "\\\\")
			.replaceAll(/<(?=[@#:/!a-z\d])/gi, "\\<")
			.replaceAll("@", "\\@")
			.replaceAll("](", "]\\(")
			.replaceAll("||", "\\|\\|")
			// A quote and small print are the marks of the bridge's own lines.
			.replaceAll(/^([ \t]*)>/gm, "$1\\>")
			.replaceAll(/^([ \t]*)-#/gm, "$1\\-#")
			// What is left of code that did not end.
			.replaceAll("`", "\\`")
	);
}
