import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { idInCommand, messageName } from "./message-names.ts";

/**
 * The error for a decision that names a due time with several messages that are waiting for a decision. `what`: what the user has to say,
 * such as "Say which of them to discard". `command` and `flags`: those of the decision. `orAll`: the command that decides about all of them,
 * with the words that introduce it.
 */
export function severalMeant(
	occurrence: Occurrence,
	actions: readonly DeliveryAction[],
	words: { readonly what: string; readonly command: string; readonly flags?: string; readonly orAll?: string },
): AppError {
	const listed = actions.map((action) => `${messageName(action)} (${action.actionId})`).join(", ");
	const commands = actions.map((action) => `${words.command} ${idInCommand(occurrence, action)} ${words.flags ?? ""}`.trimEnd());
	const each = commands.map((command) => commandLine(command)).join(", ");
	const all = words.orAll === undefined ? "" : `. ${words.orAll}`;
	return new AppError("SEVERAL_WAIT", `${words.what}: ${listed}.`, `Run one of these: ${each}${all}`);
}
