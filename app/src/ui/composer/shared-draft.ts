import type { ThreadId } from "@xworkmate/contracts";
import { useEffect, useState } from "react";
import type { Draft } from "../../api/ui-api.ts";
import { isAtApp, ownDraft } from "../drafts/own-drafts.ts";
import type { Attachments } from "./attachments.ts";

interface SharedComposer {
	readonly threadId: ThreadId | undefined;
	/** The draft that the composer was opened with. */
	readonly draft: Draft | undefined;
	/** The draft that the app has now, as this page was last told. */
	readonly told: Draft | undefined;
	readonly prompt: string;
	readonly files: Pick<Attachments, "attached" | "clear">;
	/** True while this page sends the message itself, or may have sent it. */
	readonly isHeld: boolean;
}

/**
 * Empties a composer whose draft was sent or deleted in another window, so that Enter does not send it again: calls `empty`, and removes the
 * files. This only happens if nothing was typed in this tab: the composer was opened with the app's draft, and its text and files are still
 * those of that draft. Returns a function to call when the message has been sent here: what is typed after that was typed in this tab.
 */
export function useSharedDraft({ threadId, draft, told, prompt, files, isHeld }: SharedComposer, empty: () => void): () => void {
	const [seed] = useState(() => ({ current: ownDraft(threadId) === undefined ? draft : undefined }));
	// biome-ignore lint/correctness/useExhaustiveDependencies: only what the app tells empties a composer, not what is typed
	useEffect(() => {
		const shared = seed.current;
		if (shared === undefined || isHeld || isStillThere(shared, told)) return;
		seed.current = undefined;
		const { attached } = files;
		const its = fileIds(shared);
		if (prompt !== shared.prompt || attached.some(({ key }) => !its.has(key))) return;
		empty();
		const left = fileIds(told);
		files.clear(attached.filter(({ key }) => !left.has(key)));
	}, [told, isHeld]);
	return () => {
		seed.current = undefined;
	};
}

/** True if the app still has the draft's text, even if more was typed there, or, for a draft without text, one of its files. */
function isStillThere(draft: Draft, told: Draft | undefined): boolean {
	if (!isAtApp(draft, told)) return false;
	if (draft.prompt.trim() !== "") return true;
	const left = fileIds(told);
	return [...fileIds(draft)].some((fileId) => left.has(fileId));
}

function fileIds(draft: Draft | undefined): ReadonlySet<string> {
	return new Set<string>((draft?.files ?? []).map(({ fileId }) => fileId));
}
