import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";

/** The maximum number of updates in one pack, so that packing or reading it takes only a few milliseconds. */
const PACKED_UPDATES = 1_000;
const PACKED_CHARACTERS = 256 * 1024;

const Packed = z.object({ first_seq: z.int(), last_seq: z.int(), body: z.instanceof(Uint8Array) });

/** An update as it is stored: JSON on one line. */
export interface StoredUpdate {
	readonly seq: number;
	readonly body: string;
}

/** Updates with consecutive seqs, as one row. */
export interface UpdatePack {
	readonly firstSeq: number;
	readonly lastSeq: number;
	readonly body: Uint8Array;
}

/** How many rows to read for one pack. */
export const packedAtOnce = PACKED_UPDATES;

/** Packs the first updates, up to a gap or a limit. `updates` must be in the order of their seqs and not empty. */
export function packUpdates(updates: readonly StoredUpdate[]): UpdatePack {
	const bodies: string[] = [];
	const firstSeq = updates[0]?.seq ?? 0;
	let characters = 0;
	for (const { seq, body } of updates) {
		characters += body.length;
		const isFull = bodies.length > 0 && characters > PACKED_CHARACTERS;
		if (isFull || seq !== firstSeq + bodies.length) break;
		bodies.push(body);
	}
	return { firstSeq, lastSeq: firstSeq + bodies.length - 1, body: deflateRawSync(bodies.join("\n")) };
}

/** The JSON of packed updates after a seq, in order. `packAfter` reads the first row that contains a later seq. */
export function readPacked(packAfter: (seq: number) => unknown, afterSeq: number, limit: number): readonly string[] {
	const bodies: string[] = [];
	let after = afterSeq;
	while (bodies.length < limit) {
		const row = packAfter(after);
		if (row === undefined) break;
		const { first_seq, last_seq, body } = Packed.parse(row);
		const lines = inflateRawSync(body).toString("utf8").split("\n");
		bodies.push(...lines.slice(Math.max(0, after + 1 - first_seq)));
		after = last_seq;
	}
	return bodies.slice(0, limit);
}
