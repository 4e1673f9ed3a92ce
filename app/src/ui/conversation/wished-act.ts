import type { ThreadId } from "@xworkmate/contracts";
import { useEffect } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { ActionId } from "../../strings/codes.ts";
import { go } from "../state/route.ts";

let wished: { readonly threadId: ThreadId; readonly action: ActionId } | undefined;

/** Opens a thread and performs the action that its last outcome offers there, so that the user sees the result. */
export function actInThread(threadId: ThreadId, action: ActionId): void {
	wished = { threadId, action };
	go({ page: "thread", threadId });
}

/** Performs the action once the thread is loaded and its message field exists. */
export function useWishedAct(threadId: ThreadId, last: TurnDetail | undefined, act: (action: ActionId, turn: TurnDetail) => void): void {
	useEffect(() => {
		if (last === undefined || wished?.threadId !== threadId) return;
		const { action } = wished;
		wished = undefined;
		act(action, last);
	}, [threadId, last, act]);
}
