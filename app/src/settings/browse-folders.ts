import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { BrowsedFolder } from "../api/setting-view.ts";
import { AppError } from "../errors/app-error.ts";

const MOST_FOLDERS = 2_000;

/**
 * The folders inside one folder of this computer, so that the user can choose a project folder. Without a path, the folders inside the
 * user's home are listed. A folder that this process may not read is refused. A path that leads through a link is refused and links are not
 * listed, so that the user gets exactly the folder that is shown.
 * @throws AppError WORKSPACE_REFUSED
 */
export async function browseFolders(path?: string): Promise<BrowsedFolder> {
	const asked = path ?? (await realpath(homedir()).catch(() => "/"));
	await refuseLinks(asked);
	const entries = await readdir(asked, { withFileTypes: true }).catch((error: unknown) => {
		throw refused(asked, reasons[systemErrorCode(error) ?? ""] ?? "it can't be read");
	});
	// A folder on the path may have been replaced by a link in the meantime.
	await refuseLinks(asked);
	const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
	const folders = names.slice(0, MOST_FOLDERS).map((name) => ({ name, isHidden: name.startsWith(".") }));
	const parent = dirname(asked);
	return { path: asked, folders, ...(parent !== asked && { parent }), ...(names.length > MOST_FOLDERS && { isCut: true as const }) };
}

const reasons: Readonly<Record<string, string>> = {
	EACCES: "you don't have permission to read it",
	EPERM: "you don't have permission to read it",
	ENOENT: "it does not exist",
	ENOTDIR: "it is not a folder",
};

async function refuseLinks(path: string): Promise<void> {
	if (path.includes("\0") || !isAbsolute(path) || resolve(path) !== path) throw refused(path, "it is not the full path of a folder");
	const real = await realpath(path).catch((error: unknown) => {
		throw refused(path, reasons[systemErrorCode(error) ?? ""] ?? "it can't be read");
	});
	if (real !== path) throw refused(path, `its real path is different: ${real}`);
}

function refused(path: string, why: string): AppError {
	return new AppError(
		"WORKSPACE_REFUSED",
		`The folder ${path} can't be opened because ${why}.`,
		"Choose another folder, or type the path of the folder that you want.",
	);
}
