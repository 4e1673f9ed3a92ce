import type { ThreadDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { sentMessage } from "../follow/sent-message.ts";
import { useApp } from "../state/app-context.tsx";
import { PromptText } from "./user-message.tsx";

/** A message that the app accepted before it stopped responding, and that this page has not been able to read back yet. */
export function SentBubble({ threadId, detail }: { readonly threadId: string; readonly detail: ThreadDetail | undefined }) {
	const { state } = useApp();
	const sent = useStore(sentMessage);
	if (state === "live" || sent?.threadId !== threadId) return null;
	const { turnId } = sent;
	// The thread may already have been read with this message before the app's answer to it arrived.
	if (detail?.turns.some(({ turn }) => turn.turnId === turnId) || detail?.queued.some(({ queuedId }) => queuedId === turnId)) return null;
	return (
		<div className="me">
			<PromptText text={sent.prompt} />
			<div className="me-f">{sent.isQueued === true ? words.thread.queuedAway : words.thread.sentAway}</div>
		</div>
	);
}
