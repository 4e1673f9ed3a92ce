import MarkdownIt, { type Token } from "markdown-it";

/** Parsing a longer text could block the bridge, so its HTML is the plain text. UTF-16 units. */
const MOST_PARSED = 256 * 1024;
const REL: [string, string] = ["rel", "noopener noreferrer nofollow"];
const LINK = /^(?:https?:\/\/|mailto:)/i;

const styles: Readonly<Record<string, string>> = {
	table: "border-collapse:collapse",
	th: "border:1px solid #ccc;padding:4px 8px;text-align:left",
	td: "border:1px solid #ccc;padding:4px 8px",
	code: "font-family:monospace",
	pre: "font-family:monospace;white-space:pre-wrap;background:#f5f5f5;padding:8px",
	blockquote: "margin:0 0 0 8px;padding-left:12px;border-left:3px solid #ccc",
};

// Raw HTML is shown as text. A line break stays a line break, as in the plain-text part.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true });
markdown.validateLink = (url) => LINK.test(url);
// A remote picture would tell its owner who reads the message, and when.
markdown.disable("image");
markdown.renderer.rules.fence = (tokens, index) => block(tokens[index]);
markdown.renderer.rules.code_block = (tokens, index) => block(tokens[index]);
markdown.core.ruler.push("plain_style", ({ tokens }) => styleAll(tokens));

/** A message's Markdown as the HTML of an email: self-contained, without scripts, pictures or anything to fetch. */
export function mailHtml(text: string): string {
	const body = text.length > MOST_PARSED ? `<div style="white-space:pre-wrap">${escaped(text)}</div>\n` : markdown.render(text);
	return `<!doctype html>\n<html>\n<head><meta charset="utf-8"></head>\n<body style="font-family:sans-serif;font-size:15px;line-height:1.5">\n${body}</body>\n</html>\n`;
}

function styleAll(tokens: readonly Token[]): void {
	for (const token of tokens) {
		const style = styles[token.tag];
		if (style !== undefined && token.nesting !== -1) token.attrSet("style", [style, token.attrGet("style")].filter(Boolean).join(";"));
		if (token.type === "link_open") token.attrs = token.attrGet("href") ? [...(token.attrs ?? []), REL] : [];
		styleAll(token.children ?? []);
	}
}

/** Renders code without the name of its language, which would become a class. */
function block(token: Token | undefined): string {
	return `<pre style="${styles.pre}">${escaped(token?.content ?? "")}</pre>\n`;
}

function escaped(text: string): string {
	return markdown.utils.escapeHtml(text);
}
