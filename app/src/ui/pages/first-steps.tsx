import type { ThreadId } from "@xworkmate/contracts";
import { Check } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { preferences, setPreferences } from "../state/preferences.ts";
import { hrefOf } from "../state/route.ts";

/** Shown above the thread of the first action: which of its three steps is next. Disappears after the third. */
export function FirstSteps({ threadId }: { readonly threadId: ThreadId }) {
	const { app } = useApp();
	const { firstAction } = useStore(preferences);
	const thread = app.threads.find((one) => one.threadId === threadId);
	if (firstAction !== threadId || thread === undefined) return null;
	const isOver = thread.pendingTurnId === undefined && thread.turnCount > 0;
	const now = isOver ? 2 : 1;
	return (
		<ol className="three" aria-label={words.firstAction.label}>
			{words.firstAction.steps.map((step, index) => (
				<li key={step} className={index < now ? "done" : ""} aria-current={index === now ? "step" : undefined}>
					<span className="stepn">{index < now ? <Icon of={Check} /> : index + 1}</span>
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
