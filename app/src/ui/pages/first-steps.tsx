import type { Approval, ThreadId } from "@xworkmate/contracts";
import { Check } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { preferences, setPreferences } from "../state/preferences.ts";
import { hrefOf } from "../state/route.ts";

/**
 * Shown above the thread of the first action: which of its three steps are done. Disappears after the third, or if the run ended without an
 * answer from the user, because no decision was made then.
 */
export function FirstSteps({ threadId }: { readonly threadId: ThreadId }) {
	const { app, link } = useApp();
	const answers = useStore(link.answers);
	const { firstAction } = useStore(preferences);
	const thread = app.threads.find((one) => one.threadId === threadId);
	if (firstAction !== threadId || thread === undefined) return null;
	const isOver = thread.pendingTurnId === undefined && thread.turnCount > 0;
	const isHere = (request: Pick<Approval, "threadId">) => request.threadId === threadId;
	const isAsked = app.approvals.some(isHere);
	const isAnswered = [...answers.values()].some((request) => isHere(request) && request.state === "decided");
	if (isOver && !isAnswered) return null;
	const isSending = thread.lastTurn?.status === "sending";
	const done = isSending ? 0 : isAnswered && !isAsked ? 2 : 1;
	// While the run is queued or working, there is nothing for the user to do.
	const now = isSending || isAsked || isOver ? done : undefined;
	return (
		<ol className="three" aria-label={words.firstAction.label}>
			{words.firstAction.steps.map((step, index) => (
				<li key={step} className={index < done ? "done" : ""} aria-current={index === now ? "step" : undefined}>
					<span className="stepn">{index < done ? <Icon of={Check} /> : index + 1}</span>
					{index === 2 && isOver ? (
						<a
							className="btn"
							href={hrefOf({ page: "receipts", filter: { threadId } })}
							onClick={() => setPreferences({ firstAction: undefined })}
						>
							{step}
						</a>
					) : (
						step
					)}
				</li>
			))}
		</ol>
	);
}
