import { PUT_BACK_MARK } from "@xworkmate/platform/files";
import { z } from "zod";

/** Files of the backup itself, beside those of the home. */
export const ABOUT_ENTRY = "about.json";
export const LIST_ENTRY = "files.json";

/** What the paths of the home's own files begin with. */
export const HOME_PREFIX = "home/";

const FORMAT = 1;

/** The first entry: what this is, before anything of it is read. */
export const BackupAbout = z.object({
	xworkmateBackup: z.literal(FORMAT),
	version: z.string().max(100),
	createdAt: z.iso.datetime(),
});
export type BackupAbout = z.infer<typeof BackupAbout>;

export function aboutBackup(version: string, at: Date): BackupAbout {
	return { xworkmateBackup: FORMAT, version, createdAt: at.toISOString() };
}

/** The last entry: every file before it, so that one that was cut or changed is noticed. `sha256` in hex; `path` below the home. */
export const BackupList = z.object({
	files: z.array(z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type BackupList = z.infer<typeof BackupList>;
export type BackedUpFile = z.infer<typeof BackupList>["files"][number];

/** A path below the home as a backup may name it: plain names, one below the other. */
export function isSafePath(path: string): boolean {
	if (path === "" || path.length > 4_000 || path.includes("\0") || path.includes("\\")) return false;
	return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

/** The files of a bridge and an app that belong to a process of this machine, or that a backup has in another form. */
const ofProcess = new Set(["bridge-child.json", "endpoint.json", "lock", "lock.owner", "lock.sqlite", PUT_BACK_MARK]);
const ofDatabase = /^(?:app|bridge)\.sqlite(?:-wal|-shm|-journal)?$/;

/** Why a path below the home is not in a backup as it is on the disk; undefined if it is. */
export function leftOut(path: string): "process" | "copied" | "installed" | undefined {
	const [top = "", ...rest] = path.split("/");
	const [name = ""] = rest;
	if (top === "agents") return "installed";
	if (top !== "app" && top !== "bridge") return undefined;
	if (top === "bridge" && name === "receipts") return "copied";
	if (rest.length !== 1) return undefined;
	if (ofDatabase.test(name)) return "copied";
	return ofProcess.has(name) || name.endsWith(".new") ? "process" : undefined;
}
