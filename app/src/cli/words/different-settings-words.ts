import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

/** For a command whose settings the app in the background does not have. */
export function differentSettingsWords(names: readonly string[]): string {
	return printable(
		`XWorkmate runs in the background with other settings: ${names.join(", ")}. To use those of this terminal: ${commandLine("stop")}`,
	);
}
