import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

/** For a command whose settings the app in the background does not have. */
export function differentSettingsWords(names: readonly string[]): string {
	return printable(
		`XWorkmate is running in the background with different settings: ${names.join(", ")}. To use this terminal's settings, stop it first: ${commandLine("stop")}`,
	);
}
