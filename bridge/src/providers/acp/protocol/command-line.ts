import type { ToolKind } from "@xworkmate/contracts";
import { z } from "zod";

/** Fields that do not affect what a command does. Any other field (a directory, an environment) makes it a different command. */
export const harmlessKeys: ReadonlySet<string> = new Set([
	"description",
	"timeout",
	"timeout_ms",
	"timeout_secs",
	"justification",
	"reason",
]);

const Input = z.looseObject({ command: z.union([z.string().min(1), z.array(z.string()).min(1)]) });

/** The command line in a tool's input; other fields are ignored. */
export function commandOf(rawInput: unknown): string | undefined {
	const parsed = Input.safeParse(rawInput);
	return parsed.success ? lineOf(parsed.data.command) : undefined;
}

function lineOf(command: string | readonly string[]): string {
	return typeof command === "string" ? command : commandLine(command);
}

/** The line to type in a shell. */
export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}

/** Whether a tool of this kind may run a command. `other` may, because some agents give it to their shells. */
export function mayExecute(kind: ToolKind | undefined): boolean {
	return kind === undefined || kind === "execute" || kind === "other";
}

function quoted(word: string): string {
	return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
