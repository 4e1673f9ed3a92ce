import { dirname } from "node:path";
import { restoreDatabase } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { refusalToWrite } from "@xworkmate/platform/files";
import Database from "better-sqlite3";
import { StoreError, type StoreErrorCode } from "../../store-error.ts";

interface Translation {
	readonly code: StoreErrorCode;
	/** What is wrong: text that follows the file's name, without a full stop. */
	readonly what: string;
	readonly fix: string;
}

const damaged: Translation = {
	code: "STORE_CORRUPT",
	what: "is damaged",
	fix: restoreDatabase("without its runs"),
};
const unavailable: Translation = {
	code: "STORE_UNAVAILABLE",
	what: "can't be read or written",
	fix: "Check the file's owner, its permissions and its disk.",
};

const full: Translation = {
	code: "STORE_FULL",
	what: "can't be written because the disk is full",
	fix: "Free some space, then try again.",
};
const readOnly: Translation = {
	code: "STORE_UNAVAILABLE",
	what: "can't be written because its file system is read-only",
	fix: "Make the file system writable, or set XWORKMATE_HOME to a folder on another disk.",
};

// Keyed by SQLite's primary result code.
const translations: Readonly<Record<string, Translation>> = {
	SQLITE_CORRUPT: damaged,
	SQLITE_NOTADB: damaged,
	SQLITE_FULL: full,
	SQLITE_CANTOPEN: unavailable,
	SQLITE_READONLY: unavailable,
	SQLITE_PERM: unavailable,
	SQLITE_AUTH: unavailable,
	SQLITE_IOERR: unavailable,
	SQLITE_BUSY: { code: "STORE_UNAVAILABLE", what: "is locked by another process", fix: "Stop that process, then try again." },
	SQLITE_CONSTRAINT: {
		code: "STORE_REFUSED",
		what: "refused a write that breaks one of its rules",
		fix: "This is a bug in XWorkmate: please report it.",
	},
};

const missing: Translation = { code: "STORE_FAILED", what: "could not be used", fix: "See the bridge's log for the cause." };

/** Converts an error of SQLite or the file system to a StoreError that names the file. Any other error is returned unchanged. */
export function translateError(error: unknown, file: string): unknown {
	if (error instanceof StoreError) return error;
	const translation = translationOf(error, file);
	if (translation === undefined) return error;
	const because = error instanceof Error ? ` (${error.message})` : "";
	return new StoreError(translation.code, `${file} ${translation.what}${because}.`, { file, fix: translation.fix, cause: error });
}

function translationOf(error: unknown, file: string): Translation | undefined {
	if (error instanceof Database.SqliteError) {
		const primary = error.code.split("_").slice(0, 2).join("_");
		const translation = translations[primary] ?? missing;
		// SQLite hides the system's reason: it reports a quota, or a full disk while its shared memory grows, as an I/O error.
		return translation === unavailable ? (byReason(refusalToWrite(dirname(file))) ?? unavailable) : translation;
	}
	const code = systemErrorCode(error);
	if (code === undefined || !/^E[A-Z]+$/.test(code)) return undefined;
	return byReason(code) ?? unavailable;
}

function byReason(code: string | undefined): Translation | undefined {
	if (isDiskFullCode(code)) return full;
	return code === "EROFS" ? readOnly : undefined;
}

/** Runs synchronous work of the store as a promise and translates its errors. */
export async function answer<T>(file: string, work: () => T): Promise<T> {
	return translated(file, work);
}

/** Runs work of the store and translates its errors. */
export function translated<T>(file: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw translateError(error, file);
	}
}
