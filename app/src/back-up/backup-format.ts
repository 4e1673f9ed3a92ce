import { sep } from "node:path";
import { PUT_BACK_MARK } from "@xworkmate/platform/files";
import { z } from "zod";

/** Entries that describe the backup, in addition to the files of the home. */
export const ABOUT_ENTRY = "about.json";
export const LIST_ENTRY = "files.json";

/** The prefix of the home's files in the backup. */
export const HOME_PREFIX = "home/";

const FORMAT = 1;

/** The first entry. It identifies the file as a backup before anything else is read. */
export const BackupAbout = z.object({
	xworkmateBackup: z.literal(FORMAT),
	version: z.string().max(100),
	createdAt: z.iso.datetime(),
});
export type BackupAbout = z.infer<typeof BackupAbout>;

export function aboutBackup(version: string, at: Date): BackupAbout {
	return { xworkmateBackup: FORMAT, version, createdAt: at.toISOString() };
}

/**
 * The last entry. It lists the files of the home, so that a truncated or changed backup is noticed. `sha256` in hex; `path` below the home.
 */
export const BackupList = z.object({
	/** Empty folders, as paths below the home. A git repository needs some of its empty folders. Absent in a backup of an earlier version. */
	emptyFolders: z.array(z.string()).optional(),
	files: z.array(z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type BackupList = z.infer<typeof BackupList>;
export type BackedUpFile = z.infer<typeof BackupList>["files"][number];

/**
 * True for a path below the home that a backup may contain: plain names, separated by `/`. A name may contain a backslash, except on
 * Windows, where a backslash separates folders. `separator`: this system's path separator.
 */
export function isSafePath(path: string, separator: string = sep): boolean {
	if (path === "" || path.length > 4_000 || path.includes("\0") || (separator === "\\" && path.includes("\\"))) return false;
	return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

/**
 * Files of a bridge and an app that belong to this machine: to a process, or, as `agent-tests.json`, to the agents that were tested on it.
 * An agent with the same version on another machine may not even be signed in there.
 */
const ofMachine = new Set(["agent-tests.json", "bridge-child.json", "endpoint.json", "lock", "lock.owner", "lock.sqlite", PUT_BACK_MARK]);
/** Files that a backup contains in another form. */
const ofDatabase = /^(?:app|bridge)\.sqlite(?:-wal|-shm|-journal)?$/;

/** Why the backup does not contain a path below the home as it is on disk; undefined if it does. */
export function leftOut(path: string): "machine" | "copied" | "installed" | undefined {
	const [top = "", ...rest] = path.split("/");
	const [name = ""] = rest;
	if (top === "agents") return "installed";
	if (top !== "app" && top !== "bridge") return undefined;
	if (top === "bridge" && name === "receipts") return "copied";
	if (rest.length !== 1) return undefined;
	if (ofDatabase.test(name)) return "copied";
	return ofMachine.has(name) || name.endsWith(".new") ? "machine" : undefined;
}

/**
 * True for a file in a backup that belongs to the machine that was backed up, so that it is not restored: backups of earlier versions
 * contain `agent-tests.json`. The mark of a copied database is in every backup, and is restored.
 */
export function isOfItsMachine(path: string): boolean {
	return leftOut(path) === "machine" && !path.endsWith(`/${PUT_BACK_MARK}`);
}
