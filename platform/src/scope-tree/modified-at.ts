import type { Timestamp } from "@xworkmate/contracts";

const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A file's modification time in the contract's form. File systems can hold times outside the four-digit years; these become the nearest
 * valid time.
 */
export function modifiedAt(milliseconds: number): Timestamp {
	return new Date(Math.min(LATEST, Math.max(EARLIEST, Math.floor(milliseconds)))).toISOString();
}
