import { errorMessage, isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
/** Why a file of a run is not on this disk. */
export type SyncProblemCode =
	| "DISK_FULL"
	| "DISK_ERROR"
	/** Something that is not replaced is in the way, such as a link, a device, or a folder with the file's name. */
	| "PATH_BLOCKED"
	/** The system or the disk cannot store a file with this name. */
	| "NAME_REFUSED"
	| "WRONG_SIZE"
	| "WRONG_HASH"
	| "NOT_DELIVERED"
	| "UNEXPECTED_ENTRY"
	| "MANIFEST_REFUSED"
	| "TRANSFER_FAILED";

export interface SyncProblem {
	readonly code: SyncProblemCode;
	readonly message: string;
	/** The path of the artifact, or the name of the entry in the download, if the problem concerns one file. */
	readonly path?: string;
}

/**
 * What happened, as part of a sentence. The bridge's message is a whole sentence, which may begin with the path, so the path and the final
 * period are removed.
 */
export function reasonOf({ message, path }: SyncProblem): string {
	return message.replace(`${path}: `, "").replace(/\.$/, "");
}

/** A problem with a file, the list of files or the transfer, as an error; FolderDisk, FileTransfer and syncRun make it a SyncProblem. */
export class FileProblem extends Error {
	override readonly name = "FileProblem";
	readonly code: SyncProblemCode;

	constructor(code: SyncProblemCode, message: string, cause?: unknown) {
		super(message, cause === undefined ? {} : { cause });
		this.code = code;
	}
}

/** Classifies a failure of the disk. */
export function fileProblem(error: unknown): FileProblem {
	if (error instanceof FileProblem) return error;
	const code = systemErrorCode(error);
	if (isDiskFullCode(code)) return new FileProblem("DISK_FULL", "the disk was full", error);
	if (code === "ELOOP") return new FileProblem("PATH_BLOCKED", "a symbolic link was in the way", error);
	// FAT and network disks refuse names with these codes, on any system.
	if (code === "EINVAL" || code === "EILSEQ" || code === "ENAMETOOLONG") {
		return new FileProblem("NAME_REFUSED", "this disk can't store a file with this name", error);
	}
	if (code === "ENOTDIR" || code === "EISDIR") return new FileProblem("PATH_BLOCKED", "something else was in the file's place", error);
	return new FileProblem("DISK_ERROR", errorMessage(error), error);
}
