import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { oneLine } from "../../text/printable.ts";

/**
 * The text of the file that `--edit` names; - is standard input. White space at the end is not part of the message, because editors add a
 * line break there.
 * @throws AppError INVALID_INPUT if the file is empty or can't be read; WrongUsage if standard input is empty
 */
export async function readMessage(file: string): Promise<string> {
	const written = (file === "-" ? await text(process.stdin) : await readText(file)).trimEnd();
	if (written !== "") return written;
	const fix = "Write the message in the file that --edit names, or pass it on standard input with --edit -";
	throw file === "-" ? new WrongUsage(EMPTY, fix) : new AppError("INVALID_INPUT", EMPTY, fix);
}

/** The flag as it has to be typed again. */
export function editFlag(file: string): string {
	return `--edit ${file === "-" ? "-" : JSON.stringify(file)}`;
}

const EMPTY = "The message is empty.";

async function readText(file: string): Promise<string> {
	return readFile(file, "utf8").catch((cause: unknown) => {
		throw new AppError(
			"INVALID_INPUT",
			`${oneLine(file)} can't be read.`,
			"Give the path of a text file that contains the message, or - for standard input.",
			cause,
		);
	});
}
