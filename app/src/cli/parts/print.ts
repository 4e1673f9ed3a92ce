import { terminalJson } from "../words/terminal-json.ts";
import type { Output } from "./output.ts";

/** With `--json`, the core's result as one document; otherwise lines for people. */
export function print({ console, json }: Output, value: unknown, lines: readonly string[]): void {
	if (json) console.line(terminalJson(value));
	else for (const line of lines) console.line(line);
}
