import { createHash } from "node:crypto";
import type { GrantScope } from "@xworkmate/contracts";
import type { PermissionRequest } from "../ports/agents/provider.ts";
import { programWords } from "./program-words.ts";

const MAX_TOOL = 200;
/**
 * Characters that are invisible, or that make text look like other text, so that a button could not show them. Line feeds and tabs are
 * visible.
 */
const HIDDEN = /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\p{Variation_Selector})/u;

/**
 * What a grant for this request would cover: no more than a button can name. Undefined if that cannot be determined: then no grant is
 * offered, and none covers the request. Pure.
 */
export function grantScope(request: PermissionRequest): GrantScope | undefined {
	const { options, input, proposed, title, toolKind, command, folder, inputHash } = request;
	if (!options.includes("allow_window") || !options.includes("allow_once")) return undefined;
	// The user cannot see the rest of the input or of the change.
	if (input?.truncated === true || proposed?.truncated === true) return undefined;
	if ([title, input?.text ?? "", command ?? "", folder?.path ?? ""].some((text) => HIDDEN.test(text))) return undefined;
	if (folder !== undefined && /[\n\t]/.test(folder.path)) return undefined;
	if (toolKind === "edit" && folder !== undefined) return { kind: "folder", ...folder };
	return commandScope(request) ?? { kind: "request", sha256: inputHash };
}

/**
 * The declared kind of a tool cannot be trusted, and two tools may both take a command. So the title has to end with the command, and the
 * text before it identifies the tool.
 */
function commandScope({ command, title, toolKind }: PermissionRequest): GrantScope | undefined {
	if (command === undefined || command === "" || (toolKind !== "execute" && toolKind !== "other") || !title.endsWith(command))
		return undefined;
	const before = title.slice(0, title.length - command.length);
	// A tool of kind "other" can do anything with what it calls a command.
	if (before.length > MAX_TOOL || (before === "" && toolKind === "other")) return undefined;
	const tool = before === "" ? {} : { tool: before };
	const words = programWords(command);
	if (words !== undefined) return { kind: "program", words: [...words], ...tool };
	return { kind: "command", sha256: createHash("sha256").update(command).digest("hex"), ...tool };
}
