import { stripTypeScriptTypes } from "node:module";

const OPEN = "async()=>{\n";
const CLOSE = "\n}";

/**
 * Replaces the types in a function body with white space, so that lines and columns stay the same. Accepts only what the compiler accepted:
 * a parse error here is a fault of the checker.
 */
export function stripTypes(body: string): string {
	const stripped = stripTypeScriptTypes(`${OPEN}${body}${CLOSE}`);
	if (!stripped.startsWith(OPEN) || !stripped.endsWith(CLOSE)) throw new Error("the type stripper moved the program");
	return stripped.slice(OPEN.length, -CLOSE.length);
}
