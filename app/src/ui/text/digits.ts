const SHOWN = 12;

/** The first 12 digits of a hash, in groups of four: enough to compare by eye. */
export function digitsOf(hash: string): string {
	return hash.slice(0, SHOWN).replace(/(.{4})(?=.)/g, "$1 ");
}
