import type { ThreadId } from "@xworkmate/contracts";
import { useEffect } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import { go } from "../state/route.ts";
import type { ActionId } from "../words/codes.ts";

let wished: { readonly threadId: ThreadId; readonly action: ActionId } | undefined;

/** Opens a thread and does there what its last outcome offers: the thread shows what comes of it. */
export function actInThread(threadId: ThreadId, action: ActionId): void {
	wished = { threadId, action };
	go({ page: "thread", threadId });
}

/** Does it once the thread is read and its message field is there. */
export function useWishedAct(threadId: ThreadId, last: TurnDetail | undefined, act: (action: ActionId, turn: TurnDetail) => void): void {
	useEffect(() => {
		if (last === undefined || wished?.threadId !== threadId) return;
		const { action } = wished;
		wished = undefined;
		act(action, last);
	}, [threadId, last, act]);
}
