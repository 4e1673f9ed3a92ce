import { knownNames, nearestName, unknownNames } from "@xworkmate/platform/settings";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

/** Printed by a command whose settings differ from those of the app in the background. */
export function differentSettingsWords(names: readonly string[]): string {
	return printable(
		`XWorkmate is running in the background with different settings: ${names.join(", ")}. To use this terminal's settings, stop it first: ${commandLine("stop")}`,
	);
}

/**
 * A line for each misspelled environment variable. Printed by commands that may use a running XWorkmate; XWorkmate refuses to start while
 * such a variable is set.
 */
export function misspelledWords(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	return unknownNames(env).map((name) => {
		const near = nearestName(name, knownNames);
		const fix = near === undefined ? "Remove it from the environment." : `Did you mean ${near}?`;
		return printable(`${name} is not an XWorkmate setting. ${fix}`);
	});
}
