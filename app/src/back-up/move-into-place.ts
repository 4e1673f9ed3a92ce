import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { syncDirectory } from "@xworkmate/platform/files";
import { AppError } from "../errors/app-error.ts";

/**
 * Moves an unpacked home into place. Returns the path of the former home; undefined if there was none.
 * @throws AppError HOME_NOT_WRITABLE; the former home is still in place, unless the error says where it is now
 */
export async function moveIntoPlace(staging: string, home: string, isEmpty: boolean): Promise<string | undefined> {
	const former = isEmpty ? undefined : `${home}.before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
	try {
		if (former === undefined) await rm(home, { recursive: true, force: true });
		else await rename(home, former);
	} catch (error) {
		throw notReplaced(home, error);
	}
	try {
		await rename(staging, home);
	} catch (error) {
		if (former !== undefined)
			await rename(former, home).catch(() => {
				throw notReplaced(home, error, former);
			});
		throw notReplaced(home, error);
	}
	syncDirectory(dirname(home));
	return former;
}

/** `former`: where the former home is, if it could not be moved back. */
function notReplaced(home: string, error: unknown, former?: string): AppError {
	const code = systemErrorCode(error) ?? "UNKNOWN";
	const message = `The backup was unpacked and checked, but ${home} could not be replaced (${code}).`;
	if (former !== undefined)
		return new AppError("HOME_NOT_WRITABLE", message, `The previous data folder is now at ${former}. Move it back, then try again.`, error);
	const isMount = code === "EBUSY" || code === "EXDEV";
	const inside = "The data folder may be a mount point: set XWORKMATE_HOME to a folder inside it, then try again.";
	const fix = isMount ? inside : "Check the data folder's owner and permissions, then try again.";
	return new AppError("HOME_NOT_WRITABLE", message, `Nothing was restored. ${fix}`, error);
}
