import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import type { Diff } from "@xworkmate/contracts";
import { FILE_TIME_STEP_MS, isPresent, READ_FILE } from "@xworkmate/platform/files";
import { comparable } from "../../comparable.ts";

/** A larger file is not compared with a reported change. */
const COMPARED_BYTES = 4 * 1024 * 1024;
/** How much of a file is in memory at a time while its digest is made. */
const PIECE_BYTES = 64 * 1024;
/** The system sets the times of files by a clock that moves in ticks, so a new file may seem a little older than it is. */
const TICK_MS = 20;

/**
 * A moment, in milliseconds since the epoch: by this computer's clock (`own`), and by that of a file system (`there`), because files on a
 * network file system get their times from the computer that serves it.
 */
export interface Since {
	readonly own: number;
	/** The same moment by the clock of one file system; undefined if none has been read. */
	readonly there?: { readonly device: number; readonly at: number } | undefined;
}

/** The moment at which a folder was last changed, by the clock of its file system; undefined if that can't be known. */
export async function changeOf(folder: string): Promise<Since["there"]> {
	try {
		const { dev, ctimeMs } = await stat(folder);
		return { device: dev, at: ctimeMs };
	} catch {
		return undefined;
	}
}

/**
 * True if the file has certainly not changed since a moment: the system sets the time of a file's last change itself, and no program can
 * set it back. A link counts as changed, because its target may have changed.
 */
export async function isUnchanged(place: string, since: Since): Promise<boolean> {
	try {
		const stats = await lstat(place);
		return stats.isFile() && stats.ctimeMs < timeOn(stats.dev, since) - stepOf(stats, since);
	} catch {
		return false;
	}
}

/**
 * How much older than it is a file may seem. A time that isn't a whole second shows that the file system keeps finer ones. Where its clock
 * has not been read, the difference between the clocks may be as large as the largest step.
 */
function stepOf({ ctimeMs, dev }: Pick<Stats, "ctimeMs" | "dev">, { there }: Since): number {
	return there?.device === dev && ctimeMs % 1_000 !== 0 ? TICK_MS : FILE_TIME_STEP_MS;
}

/**
 * A digest of the file's content; undefined if it is not a regular file, is too large, grows while it is read, can't be read, or `mayRead`
 * returns false. The file is read in pieces, because an agent may name many files. `mayRead`: asked before that many bytes are read.
 */
export async function contentOf(place: string, mayRead: (bytes: number) => boolean = () => true): Promise<string | undefined> {
	try {
		await using file = await open(place, READ_FILE);
		const stats = await file.stat();
		if (!stats.isFile() || stats.size > COMPARED_BYTES || !mayRead(stats.size)) return undefined;
		const digest = createHash("sha256");
		const piece = Buffer.alloc(PIECE_BYTES);
		let total = 0;
		for (;;) {
			const { bytesRead } = await file.read(piece, 0, piece.length);
			if (bytesRead === 0) return digest.digest("hex");
			total += bytesRead;
			if (total > stats.size) return undefined;
			digest.update(piece.subarray(0, bytesRead));
		}
	} catch {
		return undefined;
	}
}

/** True if the file was created at or after the given moment; false if it was not, or if that can't be known. */
export async function isNew(place: string, since: Since): Promise<boolean> {
	try {
		const stats = await lstat(place);
		return stats.isFile() && stats.birthtimeMs >= timeOn(stats.dev, since) - TICK_MS;
	} catch {
		return false;
	}
}

/**
 * An identity that a file or a folder keeps when it is moved within its file system, and that nothing created later has: a freed inode is
 * used again, but with another time of birth. If the file system keeps no time of birth, the time of the last change is used. A move sets
 * that time, so moves can't be recognized on such a file system. Undefined if nothing is there, or if that can't be known.
 */
export async function identityOf(place: string): Promise<string | undefined> {
	try {
		const { dev, ino, birthtimeNs, ctimeNs } = await lstat(place, { bigint: true });
		return `${dev} ${ino} ${birthtimeNs === 0n ? ctimeNs : birthtimeNs}`;
	} catch {
		return undefined;
	}
}

function timeOn(device: number, { own, there }: Since): number {
	return there?.device === device ? there.at : own;
}

/**
 * True if the file contains the new text of at least one of these changes. One is enough, because an agent may report a change in parts,
 * and a later part may undo an earlier one. Undefined if that can't be known.
 */
export async function holdsOne(place: string, diffs: readonly Diff[]): Promise<boolean | undefined> {
	const texts = diffs.map(({ newText }) => comparable(newText));
	// Every file contains the empty string, so an empty new text proves nothing.
	if (texts.length === 0 || texts.includes("")) return undefined;
	try {
		await using file = await open(place, READ_FILE);
		const stats = await file.stat();
		if (!stats.isFile() || stats.size > COMPARED_BYTES) return undefined;
		const bytes = await file.readFile();
		// A file in another encoding, such as UTF-16 with its zero bytes, does not contain the bytes of the reported text.
		if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
		const held = comparable(bytes.toString("utf8"));
		return texts.some((text) => held.includes(text));
	} catch {
		return undefined;
	}
}

/** Those of the places where something is. */
export async function presentOf(places: readonly string[]): Promise<readonly string[]> {
	const present = await Promise.all(places.map((place) => isPresent(place)));
	return places.filter((_, index) => present[index]);
}

/** The file's name for the user: its path relative to the working directory if it is inside. */
export function nameOf(place: string, workingDirectory: string): string {
	const path = relative(workingDirectory, place);
	return path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? place : path;
}
