import { omitUndefined, onlyLooks, type Preview, type Sha256, type ToolCallId, type ToolKind } from "@xworkmate/contracts";
import { type Allowed, type KnownTool, sha256, unshownChange } from "./known-tool.ts";
import { isBounded } from "./preview.ts";
import { shows } from "./shown-change.ts";

/** A tool call as it is shown in a request for approval. */
export interface ToolQuestion {
	readonly toolCallId: ToolCallId;
	readonly title: string;
	readonly toolKind: ToolKind;
	readonly input?: Preview;
	readonly inputHash: Sha256;
	/** False if neither an input nor content was shown. Such a call has a unique hash. */
	readonly isShown: boolean;
	/** The command line in its input, if it has one. */
	readonly command?: string;
	/** A reported change to files that the input does not show. */
	readonly proposed?: Preview;
	/** A text about the call that neither its input nor its change shows. */
	readonly says?: Preview;
	/** Which of the two the agent has not given, so the bridge chose it. */
	readonly unstated?: readonly ("title" | "kind")[];
}

/**
 * A tool call in its current state, for the question about it. Its hash covers the title, the kind, the whole input and the whole content. If
 * the agent shows neither input nor content, the hash is unique. Pure.
 */
export function questionAbout(toolCallId: ToolCallId, known: KnownTool): ToolQuestion {
	const { title, toolKind, inputDigest, contentDigest, command } = known;
	const proposed = unshownChange(known);
	const unstated = [...(known.saysTitle ? [] : (["title"] as const)), ...(known.statedKind === undefined ? (["kind"] as const) : [])];
	const input = known.input ?? known.proposal;
	const says = known.says === undefined || shows(input, known.says.text) ? undefined : known.says;
	const isShown = inputDigest !== "" || contentDigest !== "";
	const unseen = isShown ? "" : toolCallId;
	return {
		toolCallId,
		title,
		toolKind,
		isShown,
		inputHash: sha256(JSON.stringify([toolKind, title, inputDigest, contentDigest, unseen])),
		...(input === undefined ? {} : { input }),
		...(command === undefined ? {} : { command }),
		...(proposed === undefined ? {} : { proposed }),
		...(says === undefined ? {} : { says }),
		...(unstated.length === 0 ? {} : { unstated }),
	};
}

/** What was allowed, if the answer to a question was a permission. Pure. */
export function allowedBy(
	known: KnownTool,
	{ title, toolKind, command, input, says }: Omit<ToolQuestion, "inputHash" | "isShown">,
): Allowed {
	const looks = command === undefined && onlyLooks(toolKind);
	const isCut = isBounded(title) || input?.truncated === true || says?.truncated === true;
	const shown = isCut ? undefined : [title, input?.text, says?.text, known.question?.announced].filter((text) => text !== undefined);
	const { showsDiff, changes = [], changedFiles } = known.question ?? {};
	return { text: command ?? title, looks, toolKind, changes, ...omitUndefined({ shown, command, showsDiff, changedFiles }) };
}
