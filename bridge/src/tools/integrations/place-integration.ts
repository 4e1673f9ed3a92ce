import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ContractError, type IntegrationId } from "@xworkmate/contracts";
import { createDurably, syncDirectory } from "@xworkmate/platform/files";
import type { SourceFile } from "./tool-version.ts";

/**
 * Writes a new integration's files. The integration appears with all of them or not at all.
 * @param move gives the written folder its name
 * @throws ContractError INVALID_PARAMS if its folder exists and is not empty, or if something else has its name; errors of the file system
 */
export async function placeIntegration(
	tools: string,
	integration: IntegrationId,
	files: readonly SourceFile[],
	move: typeof rename = rename,
): Promise<void> {
	const folder = join(tools, integration);
	// Folders with hidden names are not read as integrations.
	const beside = join(tools, `.${integration}.new`);
	await rm(beside, { recursive: true, force: true });
	try {
		for (const { path, text } of files) {
			await mkdir(dirname(join(beside, path)), { recursive: true, mode: 0o700 });
			createDurably(join(beside, path), text);
		}
		await moveTo(folder, beside, integration, move);
		syncDirectory(tools);
	} catch (error) {
		// If the cleanup fails too, the first error is still the one to report.
		await rm(beside, { recursive: true, force: true }).catch(() => undefined);
		throw error;
	}
}

/** Gives the written folder its name. Replaces an empty folder of this name; anything else is kept, and an error is thrown. */
async function moveTo(folder: string, beside: string, integration: IntegrationId, move: typeof rename): Promise<void> {
	try {
		await move(beside, folder);
	} catch (error) {
		// The error's code does not say why: it differs between systems, and a file system that allows no change reports the same code.
		const detail = await obstacleOf(folder, integration);
		if (detail === undefined) throw error;
		throw new ContractError("INVALID_PARAMS", { detail, fix: `Rename or delete ${folder} first.`, cause: error });
	}
}

/** What already has the name; undefined if nothing has it, or only an empty folder. */
async function obstacleOf(folder: string, integration: IntegrationId): Promise<string | undefined> {
	const found = await lstat(folder).catch(() => undefined);
	if (found === undefined) return undefined;
	if (!found.isDirectory()) return `The name ${integration} is already taken by something that is not a folder.`;
	const isEmpty = await readdir(folder).then(
		(names) => names.length === 0,
		// A folder that can't be read may not be empty.
		() => false,
	);
	return isEmpty ? undefined : `An integration named ${integration} already exists.`;
}
