const MOST_NAMES = 200;
/** Names go into lists and choices: what is none of these is not a name that could be shown or typed. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:/@+-]{0,199}$/u;

/** The names that a server lists, the preferred one first. */
export function modelNames(listed: readonly unknown[], preferred: string | undefined): readonly string[] {
	const names = listed.filter((name) => typeof name === "string").filter((name) => NAME.test(name));
	return [...new Set(preferred === undefined ? names : [preferred, ...names])].slice(0, MOST_NAMES);
}
