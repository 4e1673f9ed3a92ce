import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ThreadId } from "@xworkmate/contracts";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";
import type { ExportPiece } from "../../api/export-piece.ts";
import { AppError } from "../../errors/app-error.ts";
import { formatBytes } from "../../text/format-measure.ts";
import { oneLine, printable } from "../../text/printable.ts";
import type { Output } from "../parts/output.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export interface ExportFlags {
	readonly zip?: boolean;
	readonly to?: string;
	readonly json?: boolean;
}

const SHOWN = 500;
const NAMED = 10;
type Ended = Extract<ExportPiece, { type: "ended" }>;

/** `xworkmate threads export`. Without a file, the Markdown is printed; a zip needs one. Exit code 8 if the zip lacks a file. */
export async function exportThread(
	{ api, console, json }: Output,
	threadId: ThreadId,
	{ zip = false, to }: ExportFlags,
): Promise<ExitCode> {
	const pieces = api.exportThread({ threadId, format: zip ? "zip" : "md" });
	if (to === undefined) {
		const text: Buffer[] = [];
		for await (const piece of pieces) if (piece.type === "piece") text.push(Buffer.from(piece.base64, "base64"));
		const markdown = Buffer.concat(text).toString();
		console.line(json ? JSON.stringify({ markdown }) : printable(markdown).trimEnd());
		return exitCode.success;
	}
	const file = resolve(to);
	const standing = await lstat(file)
		.catch(ifAbsent)
		.catch((error: unknown) => refuseFolder(error, dirname(file)));
	if (standing !== undefined) {
		throw new AppError("INVALID_INPUT", `${oneLine(file, SHOWN)} already exists.`, "Choose another file name, or move the existing file.");
	}
	const { ended, sizeBytes } = await write(pieces, file);
	const { files, lacking } = ended;
	if (json) console.line(JSON.stringify({ file, sizeBytes, ...(zip && { files, lacking }) }));
	else {
		const many = files === 1 ? "1 file" : `${files} files`;
		console.line(`Exported the thread${zip ? ` with ${many}` : ""} (${formatBytes(sizeBytes)}) to ${oneLine(file, SHOWN)}`);
		if (lacking.length > 0) console.line("Not included:");
		for (const { path, message } of lacking.slice(0, NAMED)) console.line(`  ${oneLine(path, SHOWN)} (${oneLine(message, SHOWN)})`);
		if (lacking.length > NAMED) console.line(`  and ${lacking.length - NAMED} more, listed in thread.md`);
	}
	return lacking.length > 0 ? exitCode.notSaved : exitCode.success;
}

/** Names the folder that can't be used. The system's error would name the partial file, which the user does not know. */
function refuseFolder(error: unknown, folder: string): never {
	const code = systemErrorCode(error);
	const fix = "Choose a file in a folder that exists.";
	if (code === "ENOENT") throw new AppError("INVALID_INPUT", `The folder ${oneLine(folder, SHOWN)} does not exist.`, fix, error);
	if (code === "ENOTDIR") throw new AppError("INVALID_INPUT", `${oneLine(folder, SHOWN)} is not a folder.`, fix, error);
	throw error;
}

/** The file gets its name only once it is complete, so that a partial file never looks like an export. */
async function write(pieces: AsyncIterable<ExportPiece>, file: string): Promise<{ readonly ended: Ended; readonly sizeBytes: number }> {
	const partial = `${file}.${process.pid}.partial`;
	const out = await open(partial, "wx", 0o600).catch((error: unknown) => refuseFolder(error, dirname(file)));
	try {
		let sizeBytes = 0;
		for await (const piece of pieces) {
			if (piece.type === "ended") {
				await out.sync();
				await out.close();
				await rename(partial, file);
				return { ended: piece, sizeBytes };
			}
			const bytes = Buffer.from(piece.base64, "base64");
			sizeBytes += bytes.length;
			await out.writeFile(bytes);
		}
		throw new AppError("FILE_NOT_FOUND", "The export ended early.", "Run the command again.");
	} catch (error) {
		await out.close();
		await rm(partial, { force: true });
		throw error;
	}
}
