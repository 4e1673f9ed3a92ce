import type { Edit, EditHindrance } from "@xworkmate/contracts";
import { joinRecords, pathText, type RawPath, splitRecords } from "./git-paths.ts";
import type { Look, Unread } from "./look.ts";
import type { OwnRepository, TreeEntry } from "./own-repository.ts";

/** A changed file: its entry in the list of changes, and its old and new content, as far as it was read. */
export interface ComparedFile {
	readonly raw: RawPath;
	readonly edit: Edit;
	readonly from: TreeEntry | undefined;
	readonly to: TreeEntry | undefined;
}

const LINK = "120000";
const GITLINK = "160000";
const PLAIN = "100644";
const EXECUTABLE = "100755";

interface Lines {
	readonly added: number;
	readonly removed: number;
}

/**
 * The differences between two looks at a work tree, by path.
 * @param workTree the work tree whose attributes say which files are binary, and which are stored through a filter
 */
export async function compare(own: OwnRepository, before: Look, after: Look, workTree: string): Promise<readonly ComparedFile[]> {
	const { bounds } = own;
	const args = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv"];
	const answer = await own.run({ args: [...args, before.tree, after.tree], workTree, timeMs: bounds.treeMs });
	const { entries, lines } = parseDiff(splitRecords(answer.output));
	const unread = [unreadOf(before), unreadOf(after)] as const;
	for (const path of new Set([...unread[0].keys(), ...unread[1].keys()])) {
		const isKnown = entries.has(path) || isSame(unread[0].get(path), unread[1].get(path));
		if (!isKnown) entries.set(path, { from: undefined, to: undefined });
	}
	const filtered = await filteredPaths(own, [...entries.keys()], workTree);
	return [...entries]
		.map(([raw, entry]) => describe(raw, entry, [unread[0].get(raw), unread[1].get(raw)], filtered.has(raw), lines.get(raw)))
		.toSorted((one, other) => (one.raw < other.raw ? -1 : 1));
}

interface Entry {
	readonly from: TreeEntry | undefined;
	readonly to: TreeEntry | undefined;
}

function describe(
	raw: RawPath,
	{ from, to }: Entry,
	[before, after]: readonly [Unread | undefined, Unread | undefined],
	isFiltered: boolean,
	lines: Lines | "binary" | undefined,
): ComparedFile {
	const { text, isWhole } = pathText(raw);
	const [was, is] = [from !== undefined || before !== undefined, to !== undefined || after !== undefined];
	const hindrance: EditHindrance | undefined = isWhole ? (before?.why ?? after?.why ?? (isFiltered ? "filtered" : undefined)) : "name";
	const edit: Edit = {
		path: text,
		status: was ? (is ? "modified" : "deleted") : "added",
		...(lines !== undefined && lines !== "binary" && hindrance === undefined && { addedLines: lines.added, removedLines: lines.removed }),
		...(lines === "binary" && { binary: true }),
		...((from?.mode === LINK || to?.mode === LINK) && { link: true }),
		...executableOf(from?.mode, to?.mode),
		...(hindrance !== undefined && { hindrance }),
	};
	return { raw, edit, from, to };
}

function executableOf(from: string | undefined, to: string | undefined): Pick<Edit, "executable"> {
	if (from === PLAIN && to === EXECUTABLE) return { executable: true };
	return from === EXECUTABLE && to === PLAIN ? { executable: false } : {};
}

function unreadOf({ unread }: Look): ReadonlyMap<RawPath, Unread> {
	return new Map(unread.map((file) => [file.path, file]));
}

function isSame(one: Unread | undefined, other: Unread | undefined): boolean {
	return one?.size === other?.size && one?.modified === other?.modified && one?.inode === other?.inode;
}

/** The records are `:<mode> <mode> <id> <id> <status>` and a path for each file, then `<added>\t<removed>\t<path>` for each file. */
function parseDiff(records: readonly string[]): { readonly entries: Map<RawPath, Entry>; readonly lines: Map<RawPath, Lines | "binary"> } {
	const entries = new Map<RawPath, Entry>();
	const lines = new Map<RawPath, Lines | "binary">();
	for (let at = 0; at < records.length; at += 1) {
		const record = records[at] ?? "";
		if (record.startsWith(":")) {
			const [fromMode = "", toMode = "", fromId = "", toId = ""] = record.slice(1).split(" ");
			at += 1;
			if (fromMode === GITLINK || toMode === GITLINK) continue;
			entries.set(records[at] ?? "", { from: entry(fromMode, fromId), to: entry(toMode, toId) });
			continue;
		}
		const [, added = "", removed = "", path = ""] = /^([^\t]*)\t([^\t]*)\t(.*)$/s.exec(record) ?? [];
		lines.set(path, added === "-" ? "binary" : { added: Number(added), removed: Number(removed) });
	}
	return { entries, lines };
}

function entry(mode: string, id: string): TreeEntry | undefined {
	return mode === "000000" ? undefined : { mode, id };
}

/** Paths whose content a filter program of the repository would change. The program is never run. */
async function filteredPaths(own: OwnRepository, paths: readonly RawPath[], workTree: string): Promise<ReadonlySet<RawPath>> {
	if (paths.length === 0) return new Set();
	const input = joinRecords(paths);
	const { output } = await own.run({ args: ["check-attr", "-z", "--stdin", "filter"], workTree, input });
	const records = splitRecords(output);
	const none = new Set(["unspecified", "unset", "set"]);
	return new Set(records.filter((_, at) => at % 3 === 0 && !none.has(records[at + 2] ?? "unset")));
}

/** One file's unified diff without its header. A diff that is too long is cut off at the end of a line. */
export async function diffText(
	own: OwnRepository,
	{ raw, from, to }: ComparedFile,
	trees: readonly [string, string],
	workTree: string,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
	if (from === undefined && to === undefined) return { text: "", truncated: false };
	const shape = ["diff-tree", "-p", "--no-color", "--no-renames", "--unified=3", "--no-ext-diff", "--no-textconv"];
	const args = [...shape, ...trees, "--", Buffer.from(raw, "latin1").toString("utf8")];
	const { output, isCut } = await own.run({ args, workTree, outputBytes: own.bounds.diffBytes, cuts: true });
	const whole = output.toString("utf8");
	const lines = isCut ? whole.slice(0, whole.lastIndexOf("\n") + 1) : whole;
	const sections = lines.split(/(?<=\n)(?=diff --git )/);
	// Git shows a file that became a link, or a link that became a file, as two: one deleted, one added. Otherwise, a second section is of a
	// folder that replaced the file.
	const ofFile = sections.slice(0, isOtherType(from, to) ? 2 : 1);
	return { text: ofFile.map(withoutHeader).join(""), truncated: isCut };
}

/** True if one of two versions of a file is a link and the other is not. */
export function isOtherType(from: TreeEntry | undefined, to: TreeEntry | undefined): boolean {
	return from !== undefined && to !== undefined && (from.mode === LINK) !== (to.mode === LINK);
}

/** A file's section of a diff from its first lines on: the header quotes names, and the list already has all its information. */
function withoutHeader(section: string): string {
	const start = /^@@ /m.exec(section)?.index;
	return start === undefined ? "" : section.slice(start);
}
