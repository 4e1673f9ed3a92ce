import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ContractError, type IntegrationId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { createDurably, syncDirectory } from "@xworkmate/platform/files";
import type { SourceFile } from "./tool-version.ts";

/**
 * Writes a new integration's files. The integration appears with all of them or not at all.
 * @throws ContractError INVALID_PARAMS if its folder exists and is not empty
 */
export async function placeIntegration(tools: string, integration: IntegrationId, files: readonly SourceFile[]): Promise<void> {
	const folder = join(tools, integration);
	// Folders with hidden names are not read as integrations.
	const beside = join(tools, `.${integration}.new`);
	await rm(beside, { recursive: true, force: true });
	try {
		for (const { path, text } of files) {
			await mkdir(dirname(join(beside, path)), { recursive: true, mode: 0o700 });
			createDurably(join(beside, path), text);
		}
		// An empty folder of this name is replaced; any other is kept.
		await rename(beside, folder);
		syncDirectory(tools);
	} catch (error) {
		await rm(beside, { recursive: true, force: true });
		if (!["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"].includes(systemErrorCode(error) ?? "")) throw error;
		throw new ContractError("INVALID_PARAMS", {
			detail: `An integration named ${integration} already exists.`,
			fix: `Rename or delete ${folder} first.`,
			cause: error,
		});
	}
}
