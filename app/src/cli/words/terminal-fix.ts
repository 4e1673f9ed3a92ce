import { errorCatalogue, type ThreadId } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";

/** The beginning of XWorkmate's own commands in a fix that the bridge sends. */
const IN_A_CHECKOUT = "npm run -s xworkmate -- ";
const CHECK_FIRST = "Check whether it has arrived. ";
const SEND_AGAIN = "To send the message again anyway, add --allow-duplicate.";

/**
 * An error's fix, as shown on a terminal. The fix that arrives with an error may name fields of the protocol, or commands as a checkout
 * types them. `command`: the command that the user typed.
 */
export function terminalFix(code: string | undefined, fix: string, command?: string): string;
export function terminalFix(code: string | undefined, fix: string | undefined, command?: string): string | undefined;
export function terminalFix(code: string | undefined, fix: string | undefined, command?: string): string | undefined {
	if (code === "THREAD_NOT_FOUND") return `List the threads: ${commandLine("threads")}`;
	if (code === "THREAD_ARCHIVED") return `Restore the thread first: ${commandLine("threads restore <thread>")}`;
	if (code === "ACCOUNT_EXISTS") return "Choose another name, or add --replace to replace the account's credential.";
	if (code === "PROVIDER_AMBIGUOUS") return fix?.replace("in routing.providerId", `with ${agentOption(command)}`);
	if (fix?.includes("providers.json") === true)
		return inThisProgram(fix).replace(/restart the bridge\.$/, `restart the bridge: ${commandLine("config apply --restart")}`);
	if (code === "PROVIDER_NOT_FOUND")
		return fix
			?.replace("Send routing.executionTarget", "Use --target")
			.replace(/"(\w+)"/, "$1")
			.replace("providerId", agentOption(command));
	if ((code === "CHANNEL_UNAVAILABLE" && fix === errorCatalogue.CHANNEL_UNAVAILABLE.fix) || names(fix, "xworkmate.channels.configure"))
		return `Set it up: ${commandLine("channels setup --help")}`;
	if ((code === "RECIPIENT_UNKNOWN" && fix === errorCatalogue.RECIPIENT_UNKNOWN.fix) || names(fix, "xworkmate.contacts.put"))
		return `Add the contact: ${commandLine("contacts add --help")}`;
	if (fix?.includes("set allowDuplicate to true") === true)
		return fix.includes("Record whether it did") || names(fix, "xworkmate.plans.settle")
			? `${SEND_AGAIN} To say whether it arrived: ${commandLine("plans settle --help")}`
			: `${fix.startsWith(CHECK_FIRST) ? CHECK_FIRST : ""}${SEND_AGAIN}`;
	return fix === undefined ? undefined : inThisProgram(fix);
}

/** The bridge writes commands as a checkout types them, because it does not know which command started this program. */
function inThisProgram(fix: string): string {
	return fix.replaceAll(IN_A_CHECKOUT, commandLine(""));
}

/**
 * The fix of a run whose files could not all be saved. The app's own fix says to download the files again, as on the page; here,
 * that part is replaced with a command.
 */
export function savingFix(code: string | undefined, fix: string | undefined, threadId: ThreadId): string | undefined {
	return terminalFix(code, fix)?.replace(/hen download the files again\.$/, `hen run: ${commandLine(`sync ${oneLine(threadId, 200)}`)}`);
}

/**
 * True if a fix names a method of the bridge, as the fixes of earlier versions did. A message that was held by such a version keeps its fix
 * in the store, and a bridge on another machine may be older than this program.
 */
function names(fix: string | undefined, method: string): boolean {
	return fix?.includes(method) === true;
}

/** The option that chooses an agent. */
function agentOption(command: string | undefined): string {
	return command === "plans" ? "--agent" : "--provider";
}
