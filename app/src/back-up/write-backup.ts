import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { type FileHandle, link, mkdtemp, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { finished, pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { notePutBack, READ_FILE, syncDirectory } from "@xworkmate/platform/files";
import { copyDatabase } from "@xworkmate/platform/sqlite";
import { type Pack, pack } from "tar-stream";
import { AppError } from "../errors/app-error.ts";
import { backUpMain } from "../process/bridge/spawn-bridge.ts";
import {
	ABOUT_ENTRY,
	aboutBackup,
	type BackedUpFile,
	type BackupAbout,
	type BackupList,
	HOME_PREFIX,
	LIST_ENTRY,
	leftOut,
} from "./backup-format.ts";

const run = promisify(execFile);

export interface BackupRequest {
	/** `XWORKMATE_HOME`. It may be in use. */
	readonly home: string;
	/** The path of the file to write, which must not exist. */
	readonly file: string;
	readonly version: string;
	/** Called for each file that was added to the backup. */
	readonly onFile: (file: BackedUpFile) => void;
}

export interface WrittenBackup {
	readonly files: number;
	readonly sizeBytes: number;
	/** Paths below the home that are not plain files: links, pipes, sockets. */
	readonly leftOut: readonly string[];
	/** Files and folders whose names are not UTF-8, which a backup can't name. */
	readonly unnamed: readonly string[];
	/** Files that became shorter while they were read. In the backup, the missing part is filled with zeros. */
	readonly changed: readonly string[];
}

interface Source {
	/** Where the file is now. */
	readonly path: string;
	/** The file's path below the home, as the backup names it. */
	readonly name: string;
}

/** What a home contains apart from its regular files. */
interface Met {
	/** Links, pipes, sockets. */
	readonly other: (name: string) => void;
	/** Files and folders whose names are not UTF-8, with U+FFFD for what can't be read. */
	readonly unnamed: (name: string) => void;
	readonly emptyFolder: (name: string) => void;
}

/**
 * Writes a home, except installed agents and the files of this machine, to one file while its runs continue. Each database is copied
 * as of one moment, the app's before the bridge's, so that the app's copy never has a run that the bridge's copy lacks. Mode 0600, because
 * the file contains tokens and keys.
 * @throws AppError INVALID_INPUT, or the system's errors; nothing is left at `file` in that case
 */
export async function writeBackup({ home, file, version, onFile }: BackupRequest): Promise<WrittenBackup> {
	// The databases, which say what the home has, are as of no earlier than this.
	const about = aboutBackup(version, new Date());
	const into = resolve(file);
	refuse(home, into);
	const scratch = await mkdtemp(join(dirname(into), `.${basename(into)}-`));
	try {
		const beside = join(scratch, "backup");
		const copies = await copyDatabases(home, join(scratch, "home"));
		const tar = pack();
		const written = pipeline(tar, createGzip({ level: 1 }), createWriteStream(beside, { flags: "wx", mode: 0o600, flush: true }));
		const filled = fill(tar, home, copies, about, onFile).catch((error: unknown) => {
			tar.destroy(error instanceof Error ? error : new Error(String(error)));
			throw error;
		});
		const [result] = await Promise.all([filled, written]);
		// A link, unlike a rename, does not replace a file that was created there in the meantime.
		await link(beside, into);
		syncDirectory(dirname(into));
		return result;
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
}

function refuse(home: string, into: string): void {
	const place = relative(resolve(home), into);
	const isInside = !place.startsWith(`..${sep}`) && place !== "..";
	if (isInside) throw new AppError("INVALID_INPUT", `${into} is the data folder or inside it.`, "Choose a path outside it.");
	if (existsSync(into)) throw new AppError("INVALID_INPUT", `${into} already exists.`, "Choose a path that doesn't exist yet.");
	if (!existsSync(dirname(into))) throw new AppError("INVALID_INPUT", `There is no folder ${dirname(into)}.`, "Create the folder first.");
	if (!existsSync(home))
		throw new AppError("INVALID_INPUT", `There is no data folder at ${home}, so there is nothing to back up.`, "Check XWORKMATE_HOME.");
}

/** Resolves with a folder that holds copies of what cannot be copied file by file, laid out as in the home. */
async function copyDatabases(home: string, into: string): Promise<string> {
	if (existsSync(join(home, "app", "app.sqlite"))) {
		notePutBack(join(into, "app"));
		await copyDatabase(join(home, "app", "app.sqlite"), join(into, "app", "app.sqlite"));
	}
	if (existsSync(join(home, "bridge", "bridge.sqlite"))) {
		const args = ["--disable-warning=ExperimentalWarning", backUpMain, join(home, "bridge"), join(into, "bridge")];
		await run(process.execPath, args, { env: {} });
	}
	return into;
}

async function fill(tar: Pack, home: string, copies: string, about: BackupAbout, onFile: BackupRequest["onFile"]): Promise<WrittenBackup> {
	const files: BackedUpFile[] = [];
	const others: string[] = [];
	const unnamed: string[] = [];
	const emptyFolders: string[] = [];
	const changed: string[] = [];
	await addText(tar, ABOUT_ENTRY, JSON.stringify(about));
	const add = async (source: Source) => {
		const added = await addFile(tar, source);
		if (added === undefined) return;
		files.push(added.file);
		if (added.isShort) changed.push(added.file.path);
		onFile(added.file);
	};
	const nothing = () => undefined;
	for await (const source of walk(copies, "", { other: nothing, unnamed: nothing, emptyFolder: nothing })) await add(source);
	const met: Met = {
		other: (name) => void others.push(name),
		unnamed: (name) => void (leftOut(name) === undefined && unnamed.push(name)),
		emptyFolder: (name) => void (leftOut(name) === undefined && emptyFolders.push(name)),
	};
	for await (const source of walk(home, "", met)) if (leftOut(source.name) === undefined) await add(source);
	await addText(tar, LIST_ENTRY, JSON.stringify({ files, emptyFolders } satisfies BackupList));
	tar.finalize();
	return { files: files.length, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), leftOut: others, unnamed, changed };
}

/** Every regular file below a folder, except installed agents, in an order that does not depend on the disk. Links are not followed. */
async function* walk(folder: string, below: string, met: Met): AsyncGenerator<Source> {
	const entries = await namesIn(join(folder, below));
	if (entries.length === 0 && below !== "") met.emptyFolder(below);
	for (const { entry, read, isNamed } of entries.toSorted((a, b) => (a.read < b.read ? -1 : 1))) {
		const name = below === "" ? read : `${below}/${read}`;
		if (!isNamed) met.unnamed(name);
		else if (entry.isDirectory()) {
			if (leftOut(`${name}/`) !== "installed") yield* walk(folder, name, met);
		} else if (entry.isFile()) yield { path: join(folder, name), name };
		else met.other(name);
	}
}

/**
 * The entries of a folder; none if it was removed in the meantime. `isNamed` is false if a name is not UTF-8. Such a name is recognized by
 * comparing bytes, because the decoded name, `read`, may be the name of another file.
 */
async function namesIn(folder: string) {
	try {
		return (await readdir(folder, { encoding: "buffer", withFileTypes: true })).map((entry) => {
			const read = entry.name.toString();
			return { entry, read, isNamed: entry.name.equals(Buffer.from(read)) };
		});
	} catch (error) {
		if (isGoneCode(systemErrorCode(error))) return [];
		throw error;
	}
}

async function addText(tar: Pack, name: string, text: string): Promise<void> {
	const bytes = Buffer.from(text);
	const entry = tar.entry({ name, size: bytes.length, mode: 0o600, mtime: new Date(0) });
	entry.end(bytes);
	await finished(entry);
}

/** Undefined if the file was removed, or replaced by a link, in the meantime. */
async function addFile(tar: Pack, { path, name }: Source): Promise<{ file: BackedUpFile; isShort: boolean } | undefined> {
	const handle = await openPlain(path);
	if (handle === undefined) return undefined;
	try {
		const pieces = (upTo: number) => piecesOf(handle, upTo);
		const { size, mode, mtime } = await handle.stat();
		const hash = createHash("sha256");
		let read = 0;
		async function* bytes() {
			for await (const chunk of pieces(size)) {
				read += chunk.length;
				hash.update(chunk);
				yield chunk;
			}
			for (let missing = size - read; missing > 0; missing -= ZEROS.length) {
				const zeros = ZEROS.subarray(0, missing);
				hash.update(zeros);
				yield zeros;
			}
		}
		const isProgram = (mode & 0o100) !== 0;
		await pipeline(bytes, tar.entry({ name: `${HOME_PREFIX}${name}`, size, mtime, mode: isProgram ? 0o700 : 0o600 }));
		return { file: { path: name, sizeBytes: size, sha256: hash.digest("hex") }, isShort: read < size };
	} finally {
		await handle.close();
	}
}

const PIECE = 256 * 1024;
const ZEROS = new Uint8Array(PIECE);

async function* piecesOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < size; ) {
		const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(PIECE, size - at)), 0, undefined, at);
		if (bytesRead === 0) return;
		at += bytesRead;
		yield buffer.subarray(0, bytesRead);
	}
}

async function openPlain(path: string): Promise<FileHandle | undefined> {
	try {
		return await open(path, READ_FILE);
	} catch (error) {
		// The file was removed, or replaced by a link, after its folder was read.
		if (isGoneCode(systemErrorCode(error)) || systemErrorCode(error) === "ELOOP") return undefined;
		throw error;
	}
}
