import { GitBranch } from "lucide-react";
import { useEffect, useState } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { count, fill } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import type { Continued } from "../../threads/domain/turn-record.ts";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { go } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";

interface ContinuesNoteProps {
	readonly from: SentTurn;
	/** True if the message would go to Script. */
	readonly isScript: boolean;
}

/** Says, before anything is sent, how much of the continued thread the agent of the new thread will receive. */
export function ContinuesNote({ from, isScript }: ContinuesNoteProps) {
	const { threadId, turnId } = from;
	const { app, state } = useApp();
	const isListed = app.threads.some((thread) => thread.threadId === threadId);
	const [read, setRead] = useState<Continued | { readonly problem: string }>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: it is read again when the thread is deleted
	useEffect(() => {
		if (state !== "live") return;
		let isLeft = false;
		callApp("continuation", { threadId, turnId }).then(
			(found) => !isLeft && setRead(found),
			(error: unknown) => !isLeft && setRead({ problem: sayError(error) }),
		);
		return () => {
			isLeft = true;
		};
	}, [threadId, turnId, state, isListed]);
	if (read === undefined) return null;
	return (
		<div className="live continued">
			<div className="live-t">
				<Icon of={GitBranch} />
				<span className="grow">{"problem" in read ? fill(menuWords.continuesGone, read) : sayGiven(read, isScript)}</span>
				<button type="button" className="btn" onClick={() => go({ page: "new" })}>
					{menuWords.continuesStop}
				</button>
			</div>
		</div>
	);
}

function sayGiven({ title, given, leftOut }: Continued, isScript: boolean): string {
	const text = isScript ? menuWords.continuedScript : leftOut === 0 ? menuWords.continues : menuWords.continuesLess;
	return fill(text, { title: visibleName(title), given: count(given, "message"), leftOut: count(leftOut, "earlier message") });
}
