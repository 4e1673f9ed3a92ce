import type { TurnDetail } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { say } from "../state/toasts.ts";
import type { Attachments } from "./attachments.ts";

/** Attaches the files of an earlier message that the app still has, and names the others. */
export function attachAgain(files: Attachments, { turn, request, keptAttachments = [] }: TurnDetail): void {
	const kept = new Set(keptAttachments);
	const gone = request.attachments.filter(({ name }) => !kept.has(name));
	files.addAgain(
		turn.turnId,
		request.attachments.filter(({ name }) => kept.has(name)),
	);
	if (gone.length > 0) say(fill(words.composer.attachmentsGone, { names: gone.map(({ name }) => name).join(", ") }));
}
