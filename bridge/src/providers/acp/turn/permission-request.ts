import { createHash } from "node:crypto";
import { omitUndefined } from "@xworkmate/contracts";
import type { PermissionRequest } from "../../../ports/agents/provider.ts";
import type { ToolQuestion } from "../../tool-question.ts";
import { type CallFacts, editedPaths, exactCommand, otherPlace, unshown, unshownPaths } from "../protocol/call-facts.ts";
import { mayExecute } from "../protocol/command-line.ts";
import { type AgentQuestion, decisionsFor, deniesAlways } from "../protocol/decode-permission.ts";
import { editedFolder } from "../protocol/edited-folder.ts";

/**
 * Turns an agent's question into a request, with everything that has been reported about the call. `directory`: the agent's working
 * directory.
 */
export async function permissionRequest(
	question: ToolQuestion,
	facts: CallFacts,
	{ answers, names }: Pick<AgentQuestion, "answers" | "names">,
	directory: string,
): Promise<PermissionRequest> {
	const { toolCallId, title, toolKind, inputHash, isShown, says, unstated } = question;
	const { input, proposed } = facts.lacksPaths ? withoutSome(question) : question;
	const command = mayExecute(toolKind) ? exactCommand(facts, directory) : undefined;
	const edited = toolKind === "edit" ? editedPaths(facts) : undefined;
	const folder = edited === undefined ? undefined : await editedFolder(edited, directory);
	const place = otherPlace(facts, directory);
	const alsoNamed = unshownPaths(facts, input?.text ?? title, directory);
	const rest = `${unshown(facts, directory)}${alsoNamed.length === 0 ? "" : JSON.stringify(alsoNamed)}`;
	return {
		toolCallId,
		title,
		toolKind,
		...omitUndefined({ input, proposed, says, unstated }),
		...(alsoNamed.length > 0 && { alsoNamed }),
		inputHash: rest === "" ? inputHash : createHash("sha256").update(inputHash).update(rest).digest("hex"),
		options: decisionsFor(answers, isShown && !facts.isUnclear && !names.isCut),
		...(names.allowOnce.length > 0 && { allowNames: names.allowOnce }),
		...(deniesAlways(answers) && { deniesAlways: true }),
		...omitUndefined({ command, directory: place, folder }),
	};
}

/** What a question shows, marked as incomplete: the agent named more files than are kept. */
function withoutSome({ title, input, proposed }: ToolQuestion): Pick<ToolQuestion, "input" | "proposed"> {
	if (proposed !== undefined) return { ...omitUndefined({ input }), proposed: { ...proposed, truncated: true } };
	return { input: { text: input?.text ?? title, truncated: true } };
}
