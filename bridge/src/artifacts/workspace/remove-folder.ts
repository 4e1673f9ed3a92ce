import { realpath, rm } from "node:fs/promises";
import { ContractError } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { mountPointsIn } from "@xworkmate/platform/scope-tree";

/**
 * Removes a folder with everything in it. If something is mounted inside, nothing is removed, because the mounted files belong to another
 * program.
 * @throws ContractError FOLDER_NOT_REMOVED, which names the path
 */
export async function removeFolder(folder: string): Promise<void> {
	try {
		const [mounted] = mountPointsIn(await realpath(folder));
		if (mounted !== undefined) throw new ContractError("FOLDER_NOT_REMOVED", { detail: `Something is mounted at ${mounted}.` });
		await rm(folder, { recursive: true, force: true });
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === "ENOENT") return;
		if (error instanceof ContractError || code === undefined) throw error;
		throw new ContractError("FOLDER_NOT_REMOVED", { detail: errorMessage(error), cause: error });
	}
}
