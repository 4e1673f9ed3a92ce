import fc from "fast-check";
import { RunId, ThreadId } from "../src/index.ts";

/** Any text a client may use as a thread's id, with the ones that look alike more often than chance would. */
export const threadIds = fc
	.oneof(
		fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
		fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "A", "-", ":", " ", "é", "1", "/", ".") }),
	)
	.filter((text) => ThreadId.safeParse(text).success)
	.map((text) => ThreadId.parse(text));

export const runIds = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/).map((text) => RunId.parse(text));

/** Relative paths of ordinary and of odd characters, safe or not. */
export const anyPaths = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 40 }),
	fc.string({ unit: fc.constantFrom("a", "B", ".", "/", "\\", "\0", "é", "e\u0301", "\u202e", "中", " ", "-"), maxLength: 20 }),
	fc
		.array(fc.constantFrom("a", "..", ".", "", ".xworkmate", ".XWORKMATE", ".versions", "b.txt"), { maxLength: 5 })
		.map((segments) => segments.join("/")),
);
