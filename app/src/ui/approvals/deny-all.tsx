import type { Approval } from "@xworkmate/contracts";
import { useState } from "react";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { lateAnswer } from "../../text/calls/late-answer.ts";
import { useApp, useBridgeNow } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { answerOf } from "./answer-of.ts";
import { decide } from "./decide.ts";

/**
 * Denies several open requests with one click. Requests can be denied together, but have to be allowed one by one. Shows nothing for fewer
 * than two.
 */
export function DenyAll({ open }: { readonly open: readonly Approval[] }) {
	const { link, state } = useApp();
	const now = useBridgeNow();
	const [isDenying, setDenying] = useState(false);
	if (open.length < 2) return null;
	const deny = async () => {
		setDenying(true);
		for (const request of open) {
			const isSent = await attempt(async () => {
				const { record, applied } = await decide(request, "deny");
				if (!applied) say(lateAnswer(record, answerOf(record).what, now));
				link.seeAnswer(record);
			});
			if (!isSent) break;
		}
		setDenying(false);
	};
	return (
		<button type="button" className="btn" disabled={isDenying || state !== "live"} onClick={() => void deny()}>
			{open.length === 2 ? callWords.denyBoth : fill(callWords.denyAll, { count: open.length })}
		</button>
	);
}
