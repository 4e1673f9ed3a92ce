import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { access, mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { errorMessage, isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { checkDatabase } from "@xworkmate/platform/sqlite";
import { extract, type Header } from "tar-stream";
import { AppError } from "../errors/app-error.ts";
import { findRunningBridge, isAlive } from "../process/bridge/adopt-bridge.ts";
import { isOwnBridge } from "../process/bridge/bridge-files.ts";
import { ownAppHome } from "../store/app-home.ts";
import { asBytes } from "../sync/as-bytes.ts";
import { commandLine } from "../text/command-line.ts";
import {
	ABOUT_ENTRY,
	type BackedUpFile,
	BackupAbout,
	BackupList,
	HOME_PREFIX,
	isOfItsMachine,
	isSafePath,
	LIST_ENTRY,
} from "./backup-format.ts";
import { moveIntoPlace } from "./move-into-place.ts";

/** Enough for the list of a million files. */
const TEXT_BYTES = 256 * 2 ** 20;
const CHECK_MS = 10 * 60_000;

export interface RestoreRequest {
	readonly file: string;
	/** `XWORKMATE_HOME`. No process may be using it. */
	readonly home: string;
	/** Moves aside what is at `home` now. If false, a home that is not empty is refused. */
	readonly replace: boolean;
	/** Called for each file that was written. */
	readonly onFile: (file: BackedUpFile) => void;
	/** If aborted before the home is moved into place, the restore ends with the signal's reason, and the home is unchanged. */
	readonly stop: AbortSignal;
}

export interface Restored {
	readonly files: number;
	readonly createdAt: string;
	/** Where the former home is; absent if there was none. */
	readonly former?: string;
	/** True if the restored home has a bridge's database, which contains the plans. A home that uses a bridge elsewhere has none. */
	readonly hasBridge: boolean;
	/** How many unfinished copies of earlier restores were removed; absent if there were none. */
	readonly leftovers?: number;
}

/**
 * Restores a home from a backup: unpacks it beside the home, checks it to the last byte, and only then moves it into place. The previous
 * home is kept.
 * @throws AppError INVALID_INPUT, BACKUP_DAMAGED, BACKUP_UNCHECKED, APP_HOME_IN_USE, HOME_NOT_WRITABLE, an error of the system, or the
 * reason of `stop`. Nothing has changed then, unless the error says where the former home is now.
 */
export async function restoreBackup({ file, home: given, replace, onFile, stop }: RestoreRequest): Promise<Restored> {
	const home = resolve(given);
	const from = resolve(file);
	await refuseUnreadable(from);
	const isEmpty = !existsSync(home) || (await readdir(home)).length === 0;
	if (!isEmpty && !replace) {
		const fix = "Add --replace, which moves its current contents to a folder next to it.";
		throw new AppError("INVALID_INPUT", `${home} is not empty.`, fix);
	}
	using _owned = isEmpty ? undefined : ownAppHome(home);
	if (!isEmpty) await refuseBridge(home);
	await mkdir(dirname(home), { recursive: true });
	const leftovers = await removeLeftovers(home);
	const staging = await mkdtemp(`${stagingPrefix(home)}${process.pid}-`);
	let isMoving = false;
	try {
		const { about, files } = await unpack(from, staging, onFile, stop);
		await checkDatabases(staging, stop);
		stop.throwIfAborted();
		isMoving = true;
		const former = await moveIntoPlace(staging, home, isEmpty);
		return {
			files: files.length,
			createdAt: about.createdAt,
			hasBridge: files.some(({ path }) => path === "bridge/bridge.sqlite"),
			...(former !== undefined && { former }),
			...(leftovers > 0 && { leftovers }),
		};
	} catch (error) {
		await rm(staging, { recursive: true, force: true });
		// The error of a move says where the former home is, which a stop must not hide.
		if (!isMoving) stop.throwIfAborted();
		throw error;
	}
}

async function refuseUnreadable(path: string): Promise<void> {
	try {
		if (!(await stat(path)).isFile()) throw new AppError("INVALID_INPUT", `${path} is not a file.`, "Check the path, then try again.");
		await access(path, constants.R_OK);
	} catch (error) {
		if (error instanceof AppError) throw error;
		const code = systemErrorCode(error) ?? "UNKNOWN";
		if (isGoneCode(code)) throw new AppError("INVALID_INPUT", `There is no file ${path}.`, "Check the path, then try again.");
		throw new AppError("INVALID_INPUT", `${path} can't be read (${code}).`, "Check its owner and permissions, then try again.", error);
	}
}

/** Refuses a home that a bridge is using. No app is using it, because this process owns it. */
async function refuseBridge(home: string): Promise<void> {
	const bridge = await findRunningBridge(home);
	if (bridge === undefined) return;
	const fix = (await isOwnBridge(home, bridge))
		? `Stop it: ${commandLine("stop")}`
		: `Stop it with Ctrl+C in its terminal, or end process ${bridge.pid}.`;
	throw new AppError("APP_HOME_IN_USE", `A bridge is using ${home} (process ${bridge.pid}).`, fix);
}

/**
 * The path of the folder that a restore unpacks into, up to its process id. The folder is beside the home, so that it can be moved into
 * place.
 */
function stagingPrefix(home: string): string {
	return join(dirname(home), `.${basename(home)}-restoring-`);
}

/** Folders of earlier versions have no process id. A restore takes minutes, so a folder this old was left by a restore that was killed. */
const UNNAMED_MS = 24 * 60 * 60_000;

/**
 * Removes the folders that were left when earlier restores into this home were killed, because they contain the home's tokens. Returns how
 * many there were.
 */
async function removeLeftovers(home: string): Promise<number> {
	const prefix = basename(stagingPrefix(home));
	let removed = 0;
	for (const name of await readdir(dirname(home))) {
		const found = name.startsWith(prefix) ? /^(?:(\d+)-)?\w{6}$/.exec(name.slice(prefix.length)) : null;
		if (found === null) continue;
		const [, pid] = found;
		const path = join(dirname(home), name);
		const isInUse = pid === undefined ? Date.now() - (await stat(path)).mtimeMs < UNNAMED_MS : isAlive(Number(pid));
		if (isInUse) continue;
		await rm(path, { recursive: true, force: true });
		removed += 1;
	}
	return removed;
}

function damaged(what: string, cause?: unknown): AppError {
	return new AppError(
		"BACKUP_DAMAGED",
		`This file is not an intact XWorkmate backup. ${what}.`,
		"Nothing was restored. Use another backup.",
		cause,
	);
}

/** The system's error codes for two entries of the backup that contradict each other: what one names as a file is a folder in the other. */
const CONTRADICTIONS: ReadonlySet<unknown> = new Set(["EEXIST", "ENOTDIR"]);

/** True for an error of the system that does not mean that the backup is damaged: any except those in CONTRADICTIONS. */
function isOfSystem(error: unknown): boolean {
	return error instanceof Error && "syscall" in error && !CONTRADICTIONS.has(systemErrorCode(error));
}

async function unpack(...args: Parameters<typeof unpackAll>) {
	try {
		return await unpackAll(...args);
	} catch (error) {
		if (error instanceof AppError || isOfSystem(error)) throw error;
		throw damaged("It can't be unpacked", error);
	}
}

async function unpackAll(file: string, into: string, onFile: RestoreRequest["onFile"], signal: AbortSignal) {
	const tar = extract();
	const gunzip = createGunzip();
	// A failure also ends the loop below, with the stream's error.
	const fed = pipeline(createReadStream(file), gunzip, tar, { signal }).catch((error: unknown) => error);
	const written = new Map<string, BackedUpFile>();
	let about: BackupAbout | undefined;
	let list: BackupList | undefined;
	for await (const entry of tar) {
		const { name } = entry.header;
		if (list !== undefined) throw damaged(`It contains an entry after its end: ${name}`);
		if (about === undefined)
			about = parsed(BackupAbout, name === ABOUT_ENTRY ? await textOf(entry) : "", "It was not created by XWorkmate");
		else if (name === LIST_ENTRY) list = parsed(BackupList, await textOf(entry), "Its list of files can't be read");
		else {
			const path = plainPath(entry.header, written);
			const one = await writeFile(join(into, path), entry, entry.header);
			written.set(path, { path, ...one });
			onFile({ path, ...one });
		}
	}
	const failure = await fed;
	if (failure !== undefined) throw failure;
	// Gunzip ignores data after the end of the compressed data, so the number of bytes that it read is compared with the file's size.
	if (gunzip.bytesWritten !== (await stat(file)).size) throw damaged("It contains data after its end");
	if (about === undefined || list === undefined) throw damaged("Its end is missing");
	compare(list, written);
	for (const path of list.emptyFolders ?? []) {
		if (!isSafePath(path)) throw damaged(`It names a folder that a backup can't contain: ${JSON.stringify(path.slice(0, 200))}`);
		await mkdir(join(into, path), { recursive: true, mode: 0o700 });
	}
	for (const { path } of list.files) if (isOfItsMachine(path)) await rm(join(into, path));
	return { about, files: list.files.filter(({ path }) => !isOfItsMachine(path)) };
}

type Entry = AsyncIterable<unknown>;

function parsed<T>(schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }, text: string, what: string): T {
	try {
		const result = schema.safeParse(JSON.parse(text));
		if (result.success) return result.data;
	} catch {
		// Not JSON.
	}
	throw damaged(what);
}

async function textOf(entry: Entry): Promise<string> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of entry) {
		const piece = asBytes(chunk);
		size += piece.length;
		if (size > TEXT_BYTES) throw damaged("Its metadata is too long");
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}

/** Paths are refused, never cleaned, so nothing is written outside the folder. */
function plainPath({ name, type }: Header, written: ReadonlyMap<string, BackedUpFile>): string {
	const path = name.slice(HOME_PREFIX.length);
	if (type !== "file" || !name.startsWith(HOME_PREFIX) || !isSafePath(path) || written.has(path)) {
		throw damaged(`It names a file that a backup can't contain: ${JSON.stringify(name.slice(0, 200))}`);
	}
	return path;
}

async function writeFile(path: string, entry: Entry, { mode = 0 }: Header): Promise<Omit<BackedUpFile, "path">> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const hash = createHash("sha256");
	let sizeBytes = 0;
	// `wx` creates a new file, so nothing is written through a link.
	const file = await open(path, "wx", (mode & 0o100) === 0 ? 0o600 : 0o700);
	try {
		for await (const chunk of entry) {
			const piece = asBytes(chunk);
			hash.update(piece);
			sizeBytes += piece.length;
			await file.writeFile(piece);
		}
		await file.sync();
	} finally {
		await file.close();
	}
	return { sizeBytes, sha256: hash.digest("hex") };
}

function compare({ files }: BackupList, written: ReadonlyMap<string, BackedUpFile>): void {
	const wrong = files.find(({ path, sizeBytes, sha256 }) => {
		const found = written.get(path);
		return found === undefined || found.sizeBytes !== sizeBytes || found.sha256 !== sha256;
	});
	if (wrong !== undefined) throw damaged(`A file in it is missing or has been changed: ${JSON.stringify(wrong.path.slice(0, 200))}`);
	if (files.length !== written.size) throw damaged("It has files that are not in its list");
}

async function checkDatabases(home: string, stop: AbortSignal): Promise<void> {
	for (const part of ["app", "bridge"]) {
		const path = join(home, part, `${part}.sqlite`);
		if (!existsSync(path)) continue;
		const problem = await checkDatabase(path, AbortSignal.any([stop, AbortSignal.timeout(CHECK_MS)])).catch((error: unknown) => {
			throw unchecked(`${part}.sqlite`, error);
		});
		if (problem !== undefined) throw damaged(`Its database ${part}.sqlite is damaged`);
	}
}

function unchecked(database: string, cause: unknown): AppError {
	return new AppError(
		"BACKUP_UNCHECKED",
		`The backup was unpacked, but its database ${database} could not be checked: ${errorMessage(cause)}`,
		"Nothing was restored. Try again.",
		cause,
	);
}
