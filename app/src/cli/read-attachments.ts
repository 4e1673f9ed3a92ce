import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { caseFold, limits } from "@xworkmate/contracts";
import mime from "mime";
import type { AttachmentInput } from "../api/app-api.ts";
import { AppError } from "../errors/app-error.ts";
import { formatBytes } from "../text/format-measure.ts";

/**
 * Reads the files of `--attach`.
 * @throws AppError INVALID_INPUT for a file that is missing, not a regular file, too large, or named like another one
 */
export async function readAttachments(paths: readonly string[]): Promise<readonly AttachmentInput[]> {
	const files: AttachmentInput[] = [];
	const named = new Map<string, string>();
	let total = 0;
	for (const path of paths) {
		const found = await stat(path).catch(() => undefined);
		if (found?.isFile() !== true) throw refused(`${path} is not a file.`, "Attach a file that exists.");
		total += found.size;
		if (found.size > limits.attachmentBytes || total > limits.attachmentsBytes) {
			const bounds = `${formatBytes(limits.attachmentBytes)} per file and ${formatBytes(limits.attachmentsBytes)} per message`;
			throw refused(`${path} is too large to attach.`, `The limits are ${bounds}.`);
		}
		const name = basename(path).normalize("NFC");
		const namesake = named.get(caseFold(name));
		if (namesake !== undefined) {
			if (resolve(namesake) === resolve(path)) throw refused(`${path} is named twice.`, "Attach it once.");
			const same = `${namesake} and ${path} would have the same name in the run's folder`;
			throw refused(`${same}, so they can't be attached to one message.`, "Rename one of them.");
		}
		named.set(caseFold(name), path);
		const bytes = await readFile(path);
		files.push({ name, mediaType: mime.getType(path) ?? "application/octet-stream", bytes });
	}
	return files;
}

function refused(message: string, fix: string): AppError {
	return new AppError("INVALID_INPUT", message, fix);
}
