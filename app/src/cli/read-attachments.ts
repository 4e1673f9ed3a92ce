import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { limits } from "@xworkmate/contracts";
import mime from "mime";
import type { AttachmentInput } from "../api/app-api.ts";
import { AppError } from "../errors/app-error.ts";
import { formatBytes } from "../text/format-measure.ts";

/**
 * Reads the files of `--attach`.
 * @throws AppError INVALID_INPUT for a file that is missing, not a regular file, or too large
 */
export async function readAttachments(paths: readonly string[]): Promise<readonly AttachmentInput[]> {
	const files: AttachmentInput[] = [];
	let total = 0;
	for (const path of paths) {
		const found = await stat(path).catch(() => undefined);
		if (found?.isFile() !== true) throw refused(`${path} is not a file.`, "Attach a file that exists.");
		total += found.size;
		if (found.size > limits.attachmentBytes || total > limits.attachmentsBytes) {
			const bounds = `${formatBytes(limits.attachmentBytes)} per file and ${formatBytes(limits.attachmentsBytes)} per message`;
			throw refused(`${path} is too large to attach.`, `The limits are ${bounds}.`);
		}
		const bytes = await readFile(path);
		files.push({ name: basename(path).normalize("NFC"), mediaType: mime.getType(path) ?? "application/octet-stream", bytes });
	}
	return files;
}

function refused(message: string, fix: string): AppError {
	return new AppError("INVALID_INPUT", message, fix);
}
