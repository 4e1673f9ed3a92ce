import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EditPlace, RunId, Timestamp, TreeId, UnfinishedEdit } from "@xworkmate/contracts";
import { readIfThere, syncDirectory, writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";

const Unread = z.object({
	path: z.string(),
	why: z.enum(["too_large", "name"]),
	size: z.number(),
	modified: z.string(),
	inode: z.string(),
});

const Look = z.object({ tree: TreeId, unread: z.array(Unread).readonly() });

const Worktree = z.object({
	branch: z.string(),
	/** The commit that the worktree began with. */
	commit: TreeId,
	/** Git's own folder for the worktree, in the user's repository. Recorded, because an agent may rewrite the worktree's `.git`. */
	administration: z.string(),
});

/** The record of the files that a thread's runs change. Paths of folders are absolute and real. */
export const EditState = z.object({
	place: EditPlace,
	checkout: z.string(),
	directory: z.string(),
	gitDirectory: z.string(),
	common: z.string(),
	worktree: Worktree.optional(),
	/**
	 * What the files are compared with: their content before the first run and, for applied files, what was applied, as long as the user's
	 * folder has it.
	 */
	base: Look,
	/** When `base` was recorded, for a record without a worktree. Absent if an earlier version wrote it. */
	since: Timestamp.optional(),
	/**
	 * `end` is absent while the run is active, if the bridge that began the run did not record its end, or if the files could not be read
	 * then.
	 */
	runs: z.array(z.object({ runId: RunId, at: Timestamp, look: Look, end: Look.optional() })),
	/** The run whose end is not recorded yet. */
	working: RunId.optional(),
	/**
	 * What the files held when the last run ended or, before the first run, when the record began, with later discards applied. Absent if a
	 * run is active, or if the content is not known.
	 */
	left: TreeId.optional(),
	/** The `patterns` of the bridge's own repository when `left` was recorded at a run's end. Absent if an earlier version recorded it. */
	leftPatterns: z.string().optional(),
	/**
	 * The tree that the last run left, kept because of its `.gitignore` files. Set only if `left` may lack files that git ignored because of
	 * them.
	 */
	unreadRules: TreeId.optional(),
	/** Files that something other than the thread's runs changed before the last run began, and that still differ from `base`. */
	outside: z.union([z.array(z.string()), z.literal("unknown")]).optional(),
	/**
	 * Files that differ from `base`, and for which it was not known when the last run began whether only the thread's runs had changed them.
	 */
	outsideUnknown: z.array(z.string()).optional(),
	/**
	 * Applied files that held changes which were not, or may not have been, from the thread's runs. Discarding such a file is refused if the
	 * user's folder no longer has what was applied.
	 */
	outsideApplied: z.array(z.string()).optional(),
	unfinished: UnfinishedEdit.optional(),
});
export type EditState = z.infer<typeof EditState>;

const Entry = z.object({ mode: z.string(), id: TreeId });

/** Files that are about to be written. The journal is on the disk before the first file is touched. */
export const EditJournal = z.object({
	action: z.enum(["apply", "discard"]),
	root: z.string(),
	/** The name of the folder, below the root's `.xworkmate`, that holds what is to be written. */
	stage: z.string().regex(/^[\w-]+$/),
	files: z.array(z.object({ raw: z.string(), from: Entry.optional(), to: Entry.optional() })),
});
export type EditJournal = z.infer<typeof EditJournal>;

const MAX_RUNS = 200;
const NO_LINKS = "no-links";

/** `<home>/bridge/edits/<session>`: the bridge's records of one thread's changes. */
export class EditFolder {
	readonly path: string;

	constructor(path: string) {
		this.path = path;
	}

	get isThere(): boolean {
		return existsSync(this.path);
	}

	get repository(): string {
		return join(this.path, "repository");
	}

	state(): EditState | undefined {
		const text = readIfThere(join(this.path, "state.json"));
		return text === undefined ? undefined : EditState.parse(JSON.parse(text));
	}

	write(state: EditState): void {
		mkdirSync(this.path, { recursive: true, mode: 0o700 });
		writeDurably(join(this.path, "state.json"), JSON.stringify({ ...state, runs: state.runs.slice(-MAX_RUNS) }));
	}

	/** True if the worktree may lack its links, because it is from a backup, which has none. */
	get lacksLinks(): boolean {
		return existsSync(join(this.path, NO_LINKS));
	}

	noteLinks(isThere: boolean): void {
		const mark = join(this.path, NO_LINKS);
		if (!isThere) writeDurably(mark, "");
		else if (this.lacksLinks) {
			rmSync(mark, { force: true });
			// If a power cut brought the mark back, a link that a run has deleted since would come back too.
			syncDirectory(this.path);
		}
	}

	journal(): EditJournal | undefined {
		const text = readIfThere(join(this.path, "journal.json"));
		return text === undefined ? undefined : EditJournal.parse(JSON.parse(text));
	}

	begin(journal: EditJournal): void {
		writeDurably(join(this.path, "journal.json"), JSON.stringify(journal));
	}

	finish(): void {
		rmSync(join(this.path, "journal.json"), { force: true });
	}

	remove(): void {
		rmSync(this.path, { recursive: true, force: true });
	}
}

export function editFolders(editsFolder: string): readonly EditFolder[] {
	return existsSync(editsFolder) ? readdirSync(editsFolder).map((name) => new EditFolder(join(editsFolder, name))) : [];
}

/** Threads whose files were being written when the bridge ended. */
export function interruptedEdits(editsFolder: string): readonly EditFolder[] {
	return editFolders(editsFolder).filter(({ path }) => existsSync(join(path, "journal.json")));
}
