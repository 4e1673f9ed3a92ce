import { readFileSync } from "node:fs";
import { sep } from "node:path";

const MOUNT_TABLE = "/proc/self/mountinfo";
/** The index of the mount point among the fields of a line: "36 35 98:0 /root /mount/point options ..." (mountinfo(5)). */
const MOUNT_POINT_FIELD = 4;

/**
 * The mount points at or below a directory, as real paths. Reads the mount table instead of comparing device ids, because a bind mount of
 * the same file system has the same id. Empty on systems without a mount table.
 */
export function mountPointsIn(directory: string): readonly string[] {
	const below = directory.endsWith(sep) ? directory : `${directory}${sep}`;
	return readTable().filter((point) => point === directory || point.startsWith(below));
}

function readTable(): readonly string[] {
	let table: string;
	try {
		table = readFileSync(MOUNT_TABLE, "utf8");
	} catch {
		// Only Linux has a mount table, and it may not be readable.
		return [];
	}
	return table.split("\n").flatMap((line) => {
		const point = line.split(" ")[MOUNT_POINT_FIELD];
		return point === undefined ? [] : [unescaped(point)];
	});
}

/** Decodes spaces, tabs, line feeds and backslashes, which the table writes as three octal digits. */
function unescaped(point: string): string {
	return point.replace(/\\([0-7]{3})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
