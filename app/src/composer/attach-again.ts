import type { ThreadId } from "@xworkmate/contracts";
import type { AttachAgain, AttachmentInput } from "../api/params.ts";
import { AppError } from "../errors/app-error.ts";
import type { ThreadStore } from "../threads/index.ts";

/**
 * Files of an earlier message, to be attached to another message of the thread.
 * @throws AppError ATTACHMENT_GONE with the names of those that are no longer stored: a message is never sent without one of its files
 * unless the user knows
 */
export function attachAgain(store: ThreadStore, threadId: ThreadId, { turnId, names }: AttachAgain): readonly AttachmentInput[] {
	const kept = new Map(store.keptAttachments({ threadId, turnId }).map((attachment) => [attachment.name, attachment]));
	const gone = names.filter((name) => !kept.has(name));
	if (gone.length > 0) {
		const fix = "Attach them again, or send the message without them.";
		throw new AppError("ATTACHMENT_GONE", `No longer available: ${gone.join(", ")}.`, fix);
	}
	return names.flatMap((name) => {
		const found = kept.get(name);
		return found === undefined ? [] : [{ name, mediaType: found.mediaType, bytes: found.bytes }];
	});
}
