import { commandLine } from "../../text/command-line.ts";

/**
 * The fix for an error, as shown on a terminal: the fix that arrived with the error does not name this program's commands and
 * options. `command`: the one that was typed.
 */
export function terminalFix(code: string | undefined, fix: string | undefined, command?: string): string | undefined {
	if (code === "THREAD_NOT_FOUND") return `List the threads: ${commandLine("threads")}`;
	if (code === "THREAD_ARCHIVED") return `Restore it first: ${commandLine("threads restore <thread>")}`;
	if (code === "PROVIDER_AMBIGUOUS") return fix?.replace("in routing.providerId", `with ${agentOption(command)}`);
	if (code === "PROVIDER_NOT_FOUND")
		return fix
			?.replace("Send routing.executionTarget", "Use --target")
			.replace(/"(\w+)"/, "$1")
			.replace("providerId", agentOption(command));
	if (fix?.includes("xworkmate.channels.configure") === true) return `Set it up: ${commandLine("channels setup --help")}`;
	if (fix?.includes("xworkmate.contacts.put") === true) return `Add the contact: ${commandLine("contacts add --help")}`;
	// The bridge does not know how this program was started.
	return fix?.replace(/`xworkmate ([^`]{1,200})`/g, (_, words: string) => `\`${commandLine(words)}\``);
}

/** What an agent is chosen with. */
function agentOption(command: string | undefined): string {
	return command === "plans" ? "--agent" : "--provider";
}
