/** Zones that were found valid. They are remembered because looking up a zone takes longer than most uses of it. */
const known = new Set<string>();
/** How many names are remembered. There are fewer zones than this, so more names would only be other spellings of them. */
const MOST_KNOWN = 1_000;

/** True for an IANA name. An offset is not an IANA name, because it says nothing about clock changes. */
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
