import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { refusalToWrite } from "@xworkmate/platform/files";
import Database from "better-sqlite3";
import { AppError } from "../../errors/app-error.ts";

const elsewhere = "set XWORKMATE_HOME to a folder on another disk";

/**
 * For a home that cannot be used, an error with the path and the fix; any other error unchanged. SQLite does not report the system's
 * reason, so this function tries to write to the folder.
 */
export function homeProblem(error: unknown, home: string): unknown {
	if (!(error instanceof Error) || error instanceof AppError || !("code" in error)) return error;
	const path = "path" in error && typeof error.path === "string" ? error.path : home;
	// Creating nested folders on a read-only disk fails with ENOENT.
	const code = error instanceof Database.SqliteError || error.code === "ENOENT" ? refusalToWrite(nearest(home)) : systemErrorCode(error);
	if (isDiskFullCode(code)) {
		return new AppError("DISK_FULL", `${path} can't be written because the disk is full.`, `Free some space, or ${elsewhere}.`, error);
	}
	switch (code) {
		case "EROFS":
			return unusable(path, "written because its file system is read-only", `Make it writable, or ${elsewhere}.`, error);
		case "EACCES":
		case "EPERM":
			// Reading may also have been denied.
			return unusable(
				path,
				"used because permission was denied",
				"Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
				error,
			);
		default:
			return error;
	}
}

function unusable(path: string, why: string, fix: string, cause: Error): AppError {
	return new AppError("HOME_NOT_WRITABLE", `${path} can't be ${why}.`, fix, cause);
}

/** The folder itself, or the nearest folder above it that exists. */
function nearest(folder: string): string {
	return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
