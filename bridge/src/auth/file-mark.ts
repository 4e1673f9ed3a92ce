import { lstatSync } from "node:fs";
import { ifAbsent } from "@xworkmate/platform/errors";

/** File times have the resolution of the system's tick, so a second change this soon after the first could leave the mark the same. */
const SETTLED_MS = 100;

/**
 * A mark that identifies a file's state without opening it: it changes with the content, the owner and the mode. Undefined if there is no
 * file, or if it was changed a moment ago.
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
