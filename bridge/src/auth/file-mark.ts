import { lstatSync } from "node:fs";
import { ifAbsent } from "@xworkmate/platform/errors";

/** Times of files are only as fine as the system's tick: so soon after a change another one could look the same. */
const SETTLED_MS = 100;

/**
 * What a file is known by, without opening it: it changes with its content, its owner and its mode. Undefined if there is no file, or if it
 * was changed a moment ago.
 *
 * @throws the system's error
 */
export function fileMark(path: string): string | undefined {
	try {
		const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = lstatSync(path, { bigint: true });
		if (Date.now() - Number(ctimeMs) < SETTLED_MS) return undefined;
		return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
	} catch (error) {
		return ifAbsent(error);
	}
}
