import type { ThreadId } from "@xworkmate/contracts";
import type { AttachAgain, AttachmentInput } from "../api/params.ts";
import { AppError } from "../errors/app-error.ts";
import type { ThreadStore } from "../threads/index.ts";

/**
 * Files of earlier messages, to be attached to another message of the thread.
 * @throws AppError ATTACHMENT_GONE with the names of those that are no longer stored: a message is never sent without one of its files
 * unless the user knows
 */
export function attachAgain(
	store: Pick<ThreadStore, "keptAttachments">,
	threadId: ThreadId,
	wanted: AttachAgain,
): readonly AttachmentInput[] {
	const found = wanted.flatMap(({ turnId, names }) => {
		const kept = new Map(store.keptAttachments({ threadId, turnId }).map((attachment) => [attachment.name, attachment]));
		return names.map((name) => ({ name, file: kept.get(name) }));
	});
	const gone = found.filter(({ file }) => file === undefined);
	if (gone.length > 0) {
		const isOne = gone.length === 1;
		const names = gone.map(({ name }) => name).join(", ");
		const message = isOne ? `${names} is no longer available.` : `These files are no longer available: ${names}.`;
		const them = isOne ? "it" : "them";
		throw new AppError("ATTACHMENT_GONE", message, `Attach ${them} again, or send the message without ${them}.`);
	}
	return found.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, mediaType: file.mediaType, bytes: file.bytes }]));
}
