// Prints a random sample of what users and engineers read, to be read aloud against the rules of docs/glossary.md and AGENTS.md:
// npm run words -- --strings 200 --comments 100 --pairs 50 [--seed 7]

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { messageAndFix } from "./house/message-and-fix.ts";
import { repositoryFiles, type SourceFile, typescriptFiles } from "./house/source-file.ts";
import { comments, isNode, lineOf, syntaxNodes } from "./house/syntax.ts";
import { repositoryRoot } from "./repository.ts";

interface Found {
	readonly at: string;
	readonly text: string;
}

const product = /^(?:app|bridge|contracts|platform|openclaw-plugins)\/src\//;
/** Strings of components are class names and keys: their texts are in the catalogue. */
const component = /\.tsx$/;
/** Files whose strings are written for readers: the page, the command, findings, and error messages. */
const spoken =
	/^(?:app\/src\/(?:ui|cli|text|strings|doctor|process)|contracts\/src\/(?:errors|approvals|openclaw)|openclaw-plugins\/src\/doctor)\//;
/** Errors that are built here reach readers as a message with its fix, often outside `new`. */
const paired = /^bridge\/src\//;
const errorWords = /(?:Error|Problem|Refused|Finding)$/;
/** In all other files, what reads like a part of a sentence: at least three words, the second of which is in lower case. */
const sentence = /[A-Za-z']{2,}[ ,]+[a-z{][^ ]* [^ ]/;
const statement = /\b(?:SELECT|INSERT|DELETE FROM|CREATE|PRAGMA|DROP|ALTER TABLE|WHERE|UPDATE \w+ SET)\b/;

const { values } = parseArgs({
	options: { strings: { type: "string" }, comments: { type: "string" }, pairs: { type: "string" }, seed: { type: "string" } },
});
const seed = values.seed ?? String(Date.now());
const files = typescriptFiles(repositoryFiles(repositoryRoot)).filter(({ path }) => product.test(path));

console.log(`seed ${seed}`);
print("Strings", draw(files.flatMap(stringsOf), Number(values.strings ?? 200)));
print("Comments", draw(files.flatMap(commentsOf), Number(values.comments ?? 100)));
print("Messages with their fixes", draw(files.flatMap(pairsOf), Number(values.pairs ?? 50)));

/** Sentences and labels of at least two words. */
function stringsOf(file: SourceFile): readonly Found[] {
	if (component.test(file.path)) return [];
	const nodes = syntaxNodes(file);
	const isSpoken = spoken.test(file.path);
	const ofErrors = isSpoken ? [] : nodes.filter((node) => node.type === "NewExpression" && isErrorClass(node.callee)).flatMap(textsOf);
	const ofErrorsAt = new Set(ofErrors.map(({ start }) => start));
	const isRead = ({ start, text }: { readonly start: number; readonly text: string }) =>
		isSpoken || ofErrorsAt.has(start) ? /[A-Za-z]{2,} \S/.test(text) : sentence.test(text) && !statement.test(text);
	return [...ofErrors, ...nodes.flatMap(textsOf)].filter(isRead).map(({ start, text }) => ({ at: place(file, start), text }));
}

function isErrorClass(callee: unknown): boolean {
	return isNode(callee) && typeof callee.name === "string" && errorWords.test(callee.name);
}

/** The texts of a node itself, or of the arguments of a new error. An interpolated value is shown as {}. */
function textsOf(node: unknown): readonly { readonly start: number; readonly text: string }[] {
	if (Array.isArray(node)) return node.flatMap(textsOf);
	if (!isNode(node)) return [];
	if (node.type === "Literal" && typeof node.value === "string") return [{ start: node.start, text: node.value }];
	if (node.type === "TemplateLiteral" && Array.isArray(node.quasis)) {
		return [{ start: node.start, text: node.quasis.map((part) => (isNode(part) ? cooked(part.value) : "")).join("{}") }];
	}
	if (node.type === "NewExpression") return textsOf(node.arguments);
	if (node.type === "ObjectExpression") return textsOf(node.properties);
	return node.type === "Property" ? textsOf(node.value) : [];
}

function cooked(value: unknown): string {
	return typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : "";
}

function commentsOf(file: SourceFile): readonly Found[] {
	return comments(file).flatMap(({ value, start }) => {
		const text = value
			.replace(/^\s*\*+ ?/gm, " ")
			.replace(/\s+/g, " ")
			.trim();
		return text.includes(" ") && !text.startsWith("biome-ignore") ? [{ at: place(file, start), text }] : [];
	});
}

function pairsOf(file: SourceFile): readonly Found[] {
	if (!paired.test(file.path)) return [];
	return messageAndFix(file).map(({ start, message, fix }) => ({ at: place(file, start), text: `${message}\n    ${fix}` }));
}

function place({ path, text }: SourceFile, start: number): string {
	return `${path}:${lineOf(text, start)}`;
}

/** The same seed draws the same sample of the same files. */
function draw(found: readonly Found[], count: number): readonly Found[] {
	const byText = [...new Map(found.map((one) => [one.text, one])).values()];
	return byText.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, count);
}

function keyOf({ at, text }: Found): string {
	return createHash("sha256").update(`${seed}\n${at}\n${text}`).digest("hex");
}

function print(title: string, drawn: readonly Found[]): void {
	console.log(`\n${title}: ${drawn.length}\n`);
	for (const { at, text } of drawn) console.log(`${at}\n    ${text}`);
}
