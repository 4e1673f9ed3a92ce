import type { Agent } from "@xworkmate/contracts";

/** How the user installs an agent that XWorkmate can't install. Pure. */
export function installWords({ command, installFix = "" }: Pick<Agent, "command" | "installFix">): string {
	return command === undefined ? installFix : `Install it in a terminal: ${command}`;
}
