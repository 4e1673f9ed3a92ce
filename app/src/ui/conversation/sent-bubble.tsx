import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { sentMessage } from "../follow/sent-message.ts";
import { useApp } from "../state/app-context.tsx";
import { PromptText } from "./user-message.tsx";

/** A message that the app accepted before it stopped responding, and that this page has not been able to read back yet. */
export function SentBubble({ threadId }: { readonly threadId: string }) {
	const { state } = useApp();
	const sent = useStore(sentMessage);
	if (state === "live" || sent?.threadId !== threadId) return null;
	return (
		<div className="me">
			<PromptText text={sent.prompt} />
			<div className="me-f">{words.thread.sentAway}</div>
		</div>
	);
}
