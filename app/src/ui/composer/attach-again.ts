import type { TurnDetail } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { say } from "../state/toasts.ts";
import type { Attachments } from "./attachments.ts";
import { type DraftAside, textAside } from "./draft-aside.tsx";

/**
 * Attaches the files of an earlier message that the app still has, and returns the names of the others. If the message replaces another
 * earlier message in the field, that message's files are removed.
 */
export function attachAgain(
	files: Attachments,
	{ turn, request, keptAttachments = [] }: TurnDetail,
	{ prompt, aside }: { readonly prompt: string; readonly aside: DraftAside | undefined },
): readonly string[] {
	if (aside !== undefined && textAside(prompt, request.prompt, aside) === aside.prompt) {
		for (const { key, source } of files.attached) {
			const isReplaced = source !== undefined && "again" in source && source.again !== turn.turnId && !aside.files.has(key);
			if (isReplaced) files.drop(key);
		}
	}
	const kept = new Set(keptAttachments);
	const gone = request.attachments.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
	const taken = files.addAgain(
		turn.turnId,
		request.attachments.filter(({ name }) => kept.has(name)),
	);
	if (taken.length > 0) say(fill(words.composer.attachmentsTaken, { names: taken.join(", ") }));
	return gone;
}

/** Names the files that the user has to attach again, because there is no copy of them. */
export function goneWords(names: readonly string[]): string {
	const { one, many } = words.composer.attachmentsGone;
	return fill(names.length === 1 ? one : many, { names: names.join(", ") });
}
