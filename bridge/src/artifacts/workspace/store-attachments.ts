import { createHash } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Attachment, ContractError, caseFold, formatBytes, limits, type RunId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { makeFolder, syncDirectory } from "@xworkmate/platform/files";
import type { StoredAttachment } from "../../ports/runs/run-record.ts";
import { inputDirectory, inputsDirectory } from "./workspace-layout.ts";

const NAMESAKE = "is the same as another attachment's name, or differs from it only in case or Unicode form";

interface DecodedAttachment {
	readonly stored: StoredAttachment;
	readonly bytes: Uint8Array;
}

/**
 * Decodes and checks a turn's attachments, and writes them durably to `<home>/bridge/inputs/<runId>/`. When the call returns, they are
 * complete, so the run's intent may refer to them. Writes nothing if an attachment is invalid.
 * @throws ContractError INVALID_PARAMS (size, hash, base64, or two names that collide on some disk), PAYLOAD_TOO_LARGE; the detail begins
 * with the place, as in `attachments[1].sha256: ...`
 */
export async function storeAttachments(
	home: string,
	runId: RunId,
	attachments: readonly Attachment[],
): Promise<readonly StoredAttachment[]> {
	const decoded = decodeAttachments(attachments);
	if (decoded.length > 0) await writeInputs(inputDirectory(home, runId), decoded);
	return decoded.map(({ stored }) => stored);
}

/** Removes what storeAttachments wrote for a run. */
export async function removeInputs(home: string, runId: RunId): Promise<void> {
	await rm(inputDirectory(home, runId), { recursive: true, force: true });
}

/** At startup: removes the inputs of all runs except those that may still need them. */
export async function sweepInputs(home: string, unfinished: ReadonlySet<RunId>): Promise<void> {
	const needed: ReadonlySet<string> = unfinished;
	for (const name of await namesIn(inputsDirectory(home))) {
		if (!needed.has(name)) await rm(join(inputsDirectory(home), name), { recursive: true, force: true });
	}
}

async function namesIn(directory: string): Promise<readonly string[]> {
	try {
		return await readdir(directory);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return [];
		throw error;
	}
}

function decodeAttachments(attachments: readonly Attachment[]): readonly DecodedAttachment[] {
	const names = new Set<string>();
	let total = 0;
	return attachments.map((attachment, index) => {
		total += attachment.sizeBytes;
		if (total > limits.attachmentsBytes) throw tooLarge("attachments", `are larger than ${formatBytes(limits.attachmentsBytes)} in total`);
		const key = caseFold(attachment.name);
		if (names.has(key)) throw invalid(`attachments[${index}].name`, NAMESAKE);
		names.add(key);
		return decode(attachment, `attachments[${index}]`);
	});
}

function decode({ base64, ...stored }: Attachment, path: string): DecodedAttachment {
	if (stored.sizeBytes > limits.attachmentBytes) throw tooLarge(path, `is larger than ${formatBytes(limits.attachmentBytes)}`);
	const bytes = Buffer.from(base64, "base64");
	if (bytes.toString("base64") !== base64) throw invalid(`${path}.base64`, "is not canonical base64");
	if (bytes.length !== stored.sizeBytes)
		throw invalid(`${path}.sizeBytes`, `is ${stored.sizeBytes}, but the content has ${bytes.length} bytes`);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	if (sha256 !== stored.sha256) throw invalid(`${path}.sha256`, "does not match the content");
	return { stored, bytes };
}

/** Writes to the final folder directly: nothing refers to it before the intent does, and sweepInputs removes what a crash leaves. */
async function writeInputs(directory: string, attachments: readonly DecodedAttachment[]): Promise<void> {
	await rm(directory, { recursive: true, force: true });
	makeFolder(directory);
	for (const { stored, bytes } of attachments) await writeAndSync(join(directory, stored.name), bytes);
	syncDirectory(directory);
}

async function writeAndSync(path: string, bytes: Uint8Array): Promise<void> {
	await using file = await open(path, "wx", 0o600);
	await file.writeFile(bytes);
	await file.sync();
}

function invalid(path: string, problem: string): ContractError {
	return new ContractError("INVALID_PARAMS", { detail: `${path}: ${problem}` });
}

function tooLarge(path: string, problem: string): ContractError {
	return new ContractError("PAYLOAD_TOO_LARGE", { detail: `${path}: ${problem}` });
}
