import { stripTypeScriptTypes } from "node:module";

const OPEN = "async()=>{\n";
const CLOSE = "\n}";

/**
 * Replaces the types in a function body with white space, so that lines and columns stay the same. To be called only with what
 * the compiler accepted.
 * @throws if the type stripper nevertheless can't parse it
 */
export function stripTypes(body: string): string {
	const stripped = stripTypeScriptTypes(`${OPEN}${body}${CLOSE}`);
	if (!stripped.startsWith(OPEN) || !stripped.endsWith(CLOSE)) throw new Error("the type stripper changed the code around the program");
	return stripped.slice(OPEN.length, -CLOSE.length);
}
