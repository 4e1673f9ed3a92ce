import { terminalJson } from "../words/terminal-json.ts";
import type { Output } from "./output.ts";

/** Prints the core's result as one document with `--json`, otherwise lines for the user. */
export function print({ console, json }: Output, value: unknown, lines: readonly string[]): void {
	if (json) console.line(terminalJson(value));
	else for (const line of lines) console.line(line);
}
