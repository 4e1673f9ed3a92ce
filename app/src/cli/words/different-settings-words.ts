import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

/** Printed by a command whose settings differ from those of the app in the background. */
export function differentSettingsWords(names: readonly string[]): string {
	return printable(
		`XWorkmate is running in the background with different settings: ${names.join(", ")}. To use this terminal's settings, stop it first: ${commandLine("stop")}`,
	);
}
