/** Asking for a zone takes longer than most of what is done with its name. */
const known = new Set<string>();
/** More zones than there are would be spellings of them. */
const MOST_KNOWN = 1_000;

/** True for an IANA name; an offset is none, because it knows no change of the clock. */
export function isTimeZone(name: string): boolean {
	if (known.has(name)) return true;
	if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
	try {
		new Intl.DateTimeFormat("en", { timeZone: name });
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
	if (known.size < MOST_KNOWN) known.add(name);
	return true;
}
