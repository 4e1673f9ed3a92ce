import { terminalFix } from "./terminal-fix.ts";

/** A result as `--json` prints it. A fix that names a field of the protocol is changed to name the command's option. */
export function terminalJson(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => (isFailure(part) ? { ...part, fix: terminalFix(part.code, part.fix) } : part));
}

function isFailure(part: unknown): part is { readonly code: string; readonly fix: string } {
	return typeof part === "object" && part !== null && "code" in part && "fix" in part && isText(part.code) && isText(part.fix);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}
