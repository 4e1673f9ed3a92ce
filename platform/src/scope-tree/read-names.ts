import { opendirSync } from "node:fs";
import type { Listing } from "./scope-tree.ts";

/** Reads at most `limit` names of a directory, so that one with millions costs bounded memory. */
export function readNames(path: string, limit: number): Listing {
	// latin1 maps every byte to one character, which is how to get a name's raw bytes from opendir.
	const directory = opendirSync(path, { encoding: "latin1", bufferSize: 256 });
	try {
		const names: Buffer[] = [];
		for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
			if (names.length === limit) return { names: names.sort(Buffer.compare), complete: false };
			names.push(Buffer.from(entry.name, "latin1"));
		}
		return { names: names.sort(Buffer.compare), complete: true };
	} finally {
		directory.closeSync();
	}
}
