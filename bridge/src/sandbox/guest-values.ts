import { z } from "zod";

const PackedText = z.union([z.instanceof(Uint8Array), z.instanceof(Uint16Array)]);
const PackedEntries = z.array(z.tuple([z.string(), PackedText]));

/** Undoes the packing of the guest's prelude. @throws when the value is no text the prelude could have packed. */
export function unpackText(value: unknown): string {
	if (typeof value === "string") return value;
	const units = PackedText.parse(value);
	const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
	return bytes.toString(units instanceof Uint16Array ? "utf16le" : "latin1");
}

/**
 * A tool's input as the program passed it. Objects come without a prototype, and an own `__proto__` stays
 * an own key for the tool's schema to refuse.
 * @throws when the guest went round its prelude.
 */
export function unpackInput(rest: unknown, packed: unknown): unknown {
	const entries = PackedEntries.parse(packed);
	if (typeof rest !== "object" || rest === null || Array.isArray(rest)) return rest;
	const input: Record<string, unknown> = Object.create(null);
	for (const [key, value] of Object.entries(rest)) input[key] = value;
	for (const [key, value] of entries) input[key] = unpackText(value);
	return input;
}
