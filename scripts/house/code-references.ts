import { posix } from "node:path";
import { declarationsIn, isDeclared } from "./declarations.ts";
import type { SourceFile } from "./source-file.ts";

/** A reference from a document to the code: `bridge/src/runs/domain/decide.ts:decide`, a file, or a folder with '/' at its end. */
interface CodeReference {
	readonly path: string;
	/** A declaration in the file; absent for the file or folder itself. */
	readonly name?: string;
}

const reference = /`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:tsx?|json|md|mjs))?)(?::([#$\w.]+))?`/g;
const hop = /^(\d+)\. `([^`]+\.tsx?):[^`]+`/gm;
const count = /\b(\d+) hops in (\d+) files; (\d+) functions with those they ask\b/;

/** Messages about a document's references to code that does not exist. */
export function missingReferences(document: SourceFile, files: readonly SourceFile[]): string[] {
	const byPath = new Map(files.map((file) => [file.path, file]));
	const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
	return [...Map.groupBy(referencesIn(document.text), ({ path }) => path)].flatMap(([path, references]) => {
		const file = byPath.get(path);
		if (file === undefined) return folders.has(path) ? [] : [`${document.path} names ${path}, which does not exist`];
		const names = references.flatMap(({ name }) => name ?? []);
		const declared = names.length === 0 ? [] : declarationsIn(file);
		return names
			.filter((name) => !isDeclared(declared, name))
			.map((name) => `${document.path} names ${path}:${name}, which that file does not declare`);
	});
}

/** Messages about source folders that an architecture document omits. */
export function undescribedFolders(document: SourceFile, sources: readonly SourceFile[]): string[] {
	const described = new Set(referencesIn(document.text).map(({ path }) => path));
	const folders = new Set(sources.filter(({ path }) => /^[\w-]+\/src\//.test(path)).map(({ path }) => `${posix.dirname(path)}/`));
	return [...folders].filter((folder) => !described.has(folder)).map((folder) => `${document.path} does not say what is in ${folder}`);
}

/**
 * Messages about lists of hops whose numbers have a gap, whose neighbours are in one file, or whose counts in the section's text are wrong:
 * hops, their files, and all functions that the list names.
 */
export function wrongHopCounts(document: SourceFile): string[] {
	return document.text.split(/^(?=#{2,3} )/m).flatMap((section) => {
		const [title = ""] = section.split("\n");
		const hops = [...section.matchAll(hop)].map(([, number, path]) => ({ number: Number(number), path }));
		if (hops.length === 0) return [];
		const list = section.slice(section.search(hop));
		const named = referencesIn(list).flatMap(({ path, name }) => (name === undefined ? [] : [`${path}:${name}`]));
		const counts = [hops.length, new Set(hops.map(({ path }) => path)).size, new Set(named).size];
		const said = count.exec(section)?.slice(1).map(Number) ?? [];
		const [hopCount, fileCount, functionCount] = counts;
		return [
			...(hops.some(({ number }, index) => number !== index + 1) ? [`${title}: the hops are not numbered 1, 2, 3`] : []),
			...hops.flatMap(({ number, path }, index) =>
				path === hops[index - 1]?.path ? [`${title}: hop ${number} is in the file of the hop before it`] : [],
			),
			...(counts.every((one, index) => one === said[index])
				? []
				: [`${title}: the list has ${hopCount} hops in ${fileCount} files; ${functionCount} functions with those they ask`]),
		];
	});
}

function referencesIn(text: string): CodeReference[] {
	return [...text.matchAll(reference)].flatMap(([, path, name]) =>
		path === undefined ? [] : [{ path, ...(name !== undefined && { name }) }],
	);
}

function foldersAbove(path: string): string[] {
	return path.split("/").flatMap((_, index, names) => (index === 0 ? [] : [`${names.slice(0, index).join("/")}/`]));
}
