import type { ToolKind } from "@xworkmate/contracts";
import { z } from "zod";

/** Beside the command these change nothing of what is run. */
const harmless = new Set(["description", "timeout", "timeout_ms", "timeout_secs", "justification", "reason"]);

const Input = z.looseObject({ command: z.union([z.string().min(1), z.array(z.string()).min(1)]) });

/**
 * The exact command line of a tool whose input says nothing else; then a configured allowance of that line may
 * answer. Any other key (a directory, an environment) makes it another command, so none is given. A kind that
 * says the tool does something else rules it out; `other` does not, since agents call their shells that.
 */
export function commandLine(rawInput: unknown, kind: ToolKind | undefined): string | undefined {
	if (!mayExecute(kind)) return undefined;
	const parsed = Input.safeParse(rawInput);
	if (!parsed.success) return undefined;
	const { command, ...others } = parsed.data;
	if (Object.keys(others).some((key) => !harmless.has(key))) return undefined;
	return typeof command === "string" ? command : command.map(quoted).join(" ");
}

/** Whether what an agent calls its tool leaves room for a command. */
export function mayExecute(kind: ToolKind | undefined): boolean {
	return kind === undefined || kind === "execute" || kind === "other";
}

function quoted(word: string): string {
	return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
