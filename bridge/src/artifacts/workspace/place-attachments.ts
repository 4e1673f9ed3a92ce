import { hash } from "node:crypto";
import { type FileHandle, open, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { caseFold, type RunId } from "@xworkmate/contracts";
import { READ_FILE } from "@xworkmate/platform/files";
import { isScopeError } from "@xworkmate/platform/scope-tree";
import type { StoredAttachment } from "../../ports/runs/run-record.ts";
import { makeEmptyDirectory, ScopeRefusedError } from "./make-directory.ts";
import { attachmentDirectory, BRIDGE_FOLDER, inputDirectory } from "./workspace-layout.ts";

export interface PlacedAttachment {
	/** Absolute path. */
	readonly path: string;
	readonly name: string;
	readonly mediaType: string;
}

export interface Placement {
	readonly home: string;
	/** Absolute; the run's working directory as prepareScope returned it. */
	readonly workingDirectory: string;
	readonly runId: RunId;
	readonly attachments: readonly StoredAttachment[];
}

/** A stored attachment is missing, or is no longer what the user sent. */
class InputDamagedError extends Error {
	override readonly name = "InputDamagedError";
	readonly code = "INPUT_DAMAGED";
}

/**
 * Copies a run's stored attachments to `<cwd>/.xworkmate/attachments/<runId>/<name>`, checks their hashes, and returns where each one is.
 * Replaces what an earlier attempt of the same run placed.
 * @throws ScopeRefusedError, InputDamagedError
 */
export async function placeAttachments({ home, workingDirectory, runId, attachments }: Placement): Promise<readonly PlacedAttachment[]> {
	if (attachments.length === 0) return [];
	refuseCollisions(attachments);
	const real = await realpath(workingDirectory);
	// Clears only a real folder: one behind a link may belong to another user.
	if (await leadsHere(attachmentDirectory(real, runId))) await rm(attachmentDirectory(real, runId), { recursive: true });
	const directory = makeEmptyDirectory(real, [BRIDGE_FOLDER, "attachments", runId]);
	const placed: PlacedAttachment[] = [];
	try {
		for (const attachment of attachments) {
			const path = join(directory, attachment.name);
			await copyVerified(join(inputDirectory(home, runId), attachment.name), path, attachment);
			placed.push({ path, name: attachment.name, mediaType: attachment.mediaType });
		}
	} catch (error) {
		// On a full disk, a partial copy takes the space that the log needs.
		if (await leadsHere(directory)) await rm(directory, { recursive: true });
		throw error;
	}
	return placed;
}

function refuseCollisions(attachments: readonly StoredAttachment[]): void {
	const names = new Set(attachments.map(({ name }) => caseFold(name)));
	if (names.size < attachments.length) throw new ScopeRefusedError("two attachments have names that some disks treat as the same");
}

async function leadsHere(directory: string): Promise<boolean> {
	try {
		return (await realpath(directory)) === directory;
	} catch {
		// Nothing is removed in this case. If no other error is being thrown, makeEmptyDirectory runs next and reports the problem.
		return false;
	}
}

/** Reads the whole file, which has at most 10 MiB (limits.attachmentBytes), so that nothing is written if it is damaged. */
async function copyVerified(from: string, to: string, attachment: StoredAttachment): Promise<void> {
	await using source = await openStored(from, attachment);
	const bytes = Buffer.alloc(attachment.sizeBytes);
	const { size } = await source.stat();
	const { bytesRead } = size === bytes.length ? await source.read(bytes) : { bytesRead: 0 };
	if (bytesRead !== bytes.length) throw damaged(attachment, "its size has changed");
	if (hash("sha256", bytes) !== attachment.sha256) throw damaged(attachment, "its content has changed");
	await writeFile(to, bytes, { flag: "wx", mode: 0o600 });
}

async function openStored(path: string, attachment: StoredAttachment): Promise<FileHandle> {
	try {
		return await open(path, READ_FILE);
	} catch (cause) {
		throw isScopeError(cause) ? damaged(attachment, "it is missing or can't be read", cause) : cause;
	}
}

function damaged({ name }: StoredAttachment, why: string, cause?: unknown): InputDamagedError {
	return new InputDamagedError(`the stored attachment ${name} can't be used: ${why}`, { cause });
}
