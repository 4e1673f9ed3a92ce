import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { caseFold, limits } from "@xworkmate/contracts";
import { errorMessage, isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import mime from "mime";
import type { AttachmentInput } from "../../api/app-api.ts";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { formatBytes } from "../../text/format-measure.ts";

/**
 * Reads the files of `--attach`.
 * @throws AppError INVALID_INPUT for a file that is missing, not a regular file, unreadable or too large; WrongUsage for one that is named
 * twice, or has the same name as another one
 */
export async function readAttachments(paths: readonly string[]): Promise<readonly AttachmentInput[]> {
	const files: AttachmentInput[] = [];
	const named = new Map<string, string>();
	let total = 0;
	for (const path of paths) {
		const found = await regularFile(path);
		total += found.size;
		if (found.size > limits.attachmentBytes || total > limits.attachmentsBytes) {
			const bounds = `${formatBytes(limits.attachmentBytes)} per file and ${formatBytes(limits.attachmentsBytes)} per message`;
			const isTotal = found.size <= limits.attachmentBytes;
			const why = isTotal ? `With ${path}, the attachments are too large for one message.` : `${path} is too large to attach.`;
			throw refused(why, `Attach at most ${bounds}.`);
		}
		const name = basename(path).normalize("NFC");
		const namesake = named.get(caseFold(name));
		if (namesake !== undefined) {
			if (resolve(namesake) === resolve(path)) throw new WrongUsage(`${path} is listed twice.`, "Attach it once.");
			const same = `${namesake} and ${path} would have the same name in the run's folder`;
			throw new WrongUsage(`${same}, so they can't be attached to one message.`, "Rename one of them.");
		}
		named.set(caseFold(name), path);
		const bytes = await readFile(path).catch((error: unknown) => {
			throw unreadable(path, error);
		});
		files.push({ name, mediaType: mime.getType(path) ?? "application/octet-stream", bytes });
	}
	return files;
}

async function regularFile(path: string): Promise<Stats> {
	const found = await stat(path).catch((error: unknown) => {
		if (isGoneCode(systemErrorCode(error))) throw refused(`There is no file ${path}.`, "Check the path.");
		throw unreadable(path, error);
	});
	if (found.isFile()) return found;
	if (found.isDirectory())
		throw refused(`${path} is a folder, not a file.`, "Attach the files in it one by one, or pack it into one file.");
	throw refused(
		`${path} is a pipe, a device or something else that is not a regular file.`,
		"Save what it contains to a file, and attach that.",
	);
}

function unreadable(path: string, error: unknown): AppError {
	return refused(
		`${path} can't be read (${systemErrorCode(error) ?? errorMessage(error)}).`,
		"Check its permissions, or attach another file.",
	);
}

function refused(message: string, fix: string): AppError {
	return new AppError("INVALID_INPUT", message, fix);
}
