import { readFileSync } from "node:fs";
import { ifAbsent } from "../errors/system-error.ts";

/** The text of a file, or undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		return ifAbsent(error);
	}
}
