import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { IntegrationId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { syncDirectory, writeDurably } from "@xworkmate/platform/files";

/** The source was refused, so no file was written or changed. Folders of its path may have been created. */
export class SourceRefused extends Error {
	override readonly name = "SourceRefused";
}

/**
 * Writes one file of an integration below `XWORKMATE_HOME/tools`, completely and durably, replacing an earlier one. Never writes through a
 * link, and never replaces anything but a file.
 * @param path checked: names without `.` and `..`, separated by `/`
 * @throws SourceRefused; errors of the file system
 */
export async function writeSource(tools: string, integration: IntegrationId, path: string, source: string): Promise<void> {
	const names = path.split("/");
	let folder = await realpath(tools);
	for (const name of [integration, ...names.slice(0, -1)]) folder = await openFolder(join(folder, name));
	const file = join(folder, names.at(-1) ?? "");
	const there = await lstat(file).catch((error: unknown) => {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		throw error;
	});
	if (there !== undefined && !there.isFile()) throw new SourceRefused("This name is already taken by something that is not a file.");
	writeDurably(file, source);
}

/**
 * Opens the folder, and creates it if it does not exist.
 * @throws SourceRefused for a link or a file
 */
async function openFolder(folder: string): Promise<string> {
	try {
		await mkdir(folder, { mode: 0o700 });
		syncDirectory(join(folder, ".."));
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
	}
	if (!(await lstat(folder)).isDirectory()) throw new SourceRefused("A folder in this path is a link or a file.");
	return folder;
}
