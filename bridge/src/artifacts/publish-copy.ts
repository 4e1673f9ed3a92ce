import { lstatSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { syncDirectory } from "@xworkmate/platform/files";

const ATTEMPTS = 3;

/** Replaces an earlier copy with a finished staging folder. At any moment there is one complete copy, or none. */
export function publishCopy(staging: string, destination: string): void {
	for (let attempt = 1; ; attempt++) {
		discardCopy(destination, `${staging}.old`);
		try {
			renameSync(staging, destination);
			break;
		} catch (error) {
			// Another collection of the same run was published in the meantime. It is replaced, because the last one wins.
			const taken = ["ENOTEMPTY", "EEXIST"].includes(systemErrorCode(error) ?? "");
			if (!taken || attempt === ATTEMPTS) throw error;
		}
	}
	syncDirectory(dirname(destination));
}

/** Removes a copy, renaming it first so that a partial copy is never visible. False if there was none. */
export function discardCopy(copy: string, aside: string): boolean {
	if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) return false;
	try {
		renameSync(copy, aside);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return false;
		throw error;
	}
	rmSync(aside, { recursive: true, force: true });
	return true;
}
