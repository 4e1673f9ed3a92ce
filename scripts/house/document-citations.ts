import { posix } from "node:path";
import { headingAnchors } from "./heading-anchors.ts";
import type { SourceFile } from "./source-file.ts";
import { comments, lineOf } from "./syntax.ts";

/** Names of documents that are not in the repository, so that readers could not find them. */
const documentsElsewhere =
	/\b(?:CONTRACT|ARCHITECTURE|GLOSSARY|HOUSE|CARD)\b|\b[Ss]eeds? 0\d\d\b|\b[Tt]he seed(?:'s)?(?= (?:and|does|document|words)\b)/g;
const decision = /\b[Dd]ecisions? (\d{4})\b/g;
const file = /(?<![\w./-])docs\/[\w./-]+\.(?:md|json)\b/g;
const section = /(?<![\w./-])((?:\.{1,2}\/)*(?:[\w-]+\/)*[\w.-]+\.md)#([\w-]+)/g;

/** Files that are about such names. */
const aboutCitations = /^scripts\/(?:house|test)\/document-citations\b/;

interface Documents {
	readonly paths: ReadonlySet<string>;
	readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
	readonly decisions: ReadonlySet<string>;
}

/**
 * Messages about citations of documents, sections or decisions that are not in the repository. Paths are searched only in comments and
 * documents: in code they may be anything.
 */
export function citationsOfNothing(files: readonly SourceFile[]): string[] {
	const known = knownDocuments(files);
	return files
		.filter(({ path }) => !aboutCitations.test(path))
		.flatMap((source) => [
			...[...source.text.matchAll(documentsElsewhere)].map(
				({ 0: cited, index }) => `${source.path}:${lineOf(source.text, index)} cites ${cited}, which is not in the repository`,
			),
			...prose(source).flatMap(({ text, line }) =>
				citationProblems(source.path, text, known).map((problem) => `${source.path}:${line} ${problem}`),
			),
		]);
}

function knownDocuments(files: readonly SourceFile[]): Documents {
	const paths = files.map(({ path }) => path);
	return {
		paths: new Set(paths),
		anchors: new Map(files.filter(({ path }) => path.endsWith(".md")).map(({ path, text }) => [path, new Set(headingAnchors(text))])),
		decisions: new Set(paths.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? [])),
	};
}

/** The text for readers: a whole document, or the comments of code. */
function prose(source: SourceFile): { readonly text: string; readonly line: number }[] {
	const { path, text } = source;
	if (path.endsWith(".md")) return text.split("\n").map((line, index) => ({ text: line, line: index + 1 }));
	if (!/\.tsx?$/.test(path) || !/\.md\b|decision/i.test(text)) return [];
	return comments(source).map(({ value, start }) => ({ text: value, line: lineOf(text, start) }));
}

function citationProblems(path: string, text: string, { paths, anchors, decisions }: Documents): string[] {
	const files = [...text.matchAll(file)].filter(([cited]) => !paths.has(cited)).map(([cited]) => `cites ${cited}, which does not exist`);
	const sections = [...text.matchAll(section)]
		.filter(([, target = "", anchor = ""]) => !candidates(path, target).some((one) => anchors.get(one)?.has(anchor)))
		.map(([cited]) => `cites ${cited}, which is no section`);
	const numbers = [...text.matchAll(decision)]
		.filter(([, number = ""]) => !decisions.has(number))
		.map(([cited]) => `cites ${cited}, which does not exist`);
	return [...files, ...sections, ...numbers];
}

/** A link is relative to its document, a citation in code to the root; a template becomes a document of `docs/`. */
function candidates(path: string, target: string): readonly string[] {
	const folder = path.endsWith(".template.md") ? "docs" : posix.dirname(path);
	return [target, posix.normalize(posix.join(folder, target))];
}
