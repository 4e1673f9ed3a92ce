import { visible, visibleWithin } from "@xworkmate/contracts";

/** Characters that Discord reads as markup. A backslash in front makes them appear as they are. */
const MARKUP = /[\\`*_~|<>#@:[\]()\-+.!]/g;
/** A code block, or inline code. Discord shows its content unchanged, including backslashes. */
const CODE = /```[\s\S]*?(?:```|$)|(`{1,2})(?!`)[^`\n]+\1(?!`)/g;

/** Text from elsewhere on one line, made inert: no mention, markup, link or hidden character takes effect. Pure. */
export function plainWords(text: string, most = 300): string {
	return visibleWithin(text.replaceAll(/\s+/g, " ").trim(), most).replaceAll(MARKUP, "\\$&");
}

/** The codes whose messages come from the bridge, and contain the times when an account or a recipient can or cannot be used. */
const codesWithTimes: ReadonlySet<string> = new Set(["PROVIDER_LIMITED", "PROVIDER_AUTH_REQUIRED", "WINDOW_CLOSED"]);
const ESCAPED_TIME = /\b\d{4}\\-\d\d\\-\d\dT\d\d\\:\d\d\\:\d\d\\\.\d{3}Z/g;

/** A code's message, made inert. With one of the codes above, times become Discord timestamps, which readers see in local time. Pure. */
export function messageWords(code: string | undefined, message: string, most = 300): string {
	const words = plainWords(message, most);
	if (code === undefined || !codesWithTimes.has(code)) return words;
	return words.replace(ESCAPED_TIME, (at) => `<t:${Math.floor(Date.parse(at.replaceAll("\\", "")) / 1_000)}:f>`);
}

/**
 * Escapes an answer. Its paragraphs, lists, emphasis and code stay. Mentions, links behind other words, hidden text, and marks that are
 * reserved for the bridge's own lines appear as they were written. Pure.
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
	// Ends an open code block, so that the text after the answer is not part of it.
	return isFenceOpen(rest) ? `${rest}\n\`\`\`` : rest;
}

/** Puts JSON in a code block that no character in it can end. The JSON keeps its meaning. Pure. */
export function fencedJson(json: string): string {
	return `\`\`\`json\n${visibleLines(json).replaceAll("`", "\\u0060")}\n\`\`\``;
}

/** Puts text unchanged in a code block, with hidden characters made visible; undefined if it could end the block. Pure. */
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
			// This comes first, so that a backslash in the text cannot cancel one that is added later.
			.replaceAll(/\\(?=[<@|\]>`-])/g, "\\\\")
			.replaceAll(/<(?=[@#:/!a-z\d])/gi, "\\<")
			.replaceAll("@", "\\@")
			.replaceAll("](", "]\\(")
			.replaceAll("||", "\\|\\|")
			// Quotes and small print mark the bridge's own lines.
			.replaceAll(/^([ \t]*)>/gm, "$1\\>")
			.replaceAll(/^([ \t]*)-#/gm, "$1\\-#")
			// The remaining backticks belong to code that was never closed.
			.replaceAll("`", "\\`")
	);
}
