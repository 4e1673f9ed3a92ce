import { opendirSync } from "node:fs";
import type { Listing } from "./scope-tree.ts";

/** Reads at most `limit` names of a directory, so that even one with millions of names takes a bounded amount of memory. */
export function readNames(path: string, limit: number): Listing {
	// latin1 maps each byte to one character, so it preserves the raw bytes of a name.
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
