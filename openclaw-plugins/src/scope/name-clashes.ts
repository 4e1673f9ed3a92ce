import { caseFold } from "@xworkmate/contracts";

/** The paths of a set that a case-insensitive, normalising disk could not hold beside another one of it. */
export function clashingPaths(paths: readonly string[]): ReadonlySet<string> {
	const files = new Map<string, number>();
	const folders = new Set<string>();
	for (const path of paths) {
		const key = caseFold(path);
		files.set(key, (files.get(key) ?? 0) + 1);
		for (const ancestor of ancestors(key)) folders.add(ancestor);
	}
	const clashes = (key: string) => (files.get(key) ?? 0) > 1 || folders.has(key) || ancestors(key).some((ancestor) => files.has(ancestor));
	return new Set(paths.filter((path) => clashes(caseFold(path))));
}

function ancestors(key: string): readonly string[] {
	const found: string[] = [];
	for (let at = key.indexOf("/"); at !== -1; at = key.indexOf("/", at + 1)) found.push(key.slice(0, at));
	return found;
}
