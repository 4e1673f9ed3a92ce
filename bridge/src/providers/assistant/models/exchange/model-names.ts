const MOST_NAMES = 200;
/** Names appear in lists and choices, so anything that could not be shown or typed is refused. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:/@+-]{0,199}$/u;

/** The preferred name, listed or not, then the other names that a server lists. */
export function modelNames(listed: readonly unknown[], preferred: string | undefined): readonly string[] {
	const names = listed.filter((name) => typeof name === "string").filter((name) => NAME.test(name));
	return [...new Set(preferred === undefined ? names : [preferred, ...names])].slice(0, MOST_NAMES);
}
