import { useEffect, useState } from "react";
import type { ThreadDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { useApp } from "../state/app-context.tsx";
import { isOfPress, openPress, type PressedIds } from "./pressed-ids.ts";

/** What the composer says about a message in each state. */
export const unconfirmedNotes = {
	waiting: words.composer.unconfirmed,
	changed: words.composer.unconfirmedChanged,
	lost: words.composer.notArrived,
} as const;

interface UnconfirmedPress {
	readonly thread: ThreadDetail | undefined;
	/** The message as pressing Send would send it now. */
	readonly message: { readonly prompt: string };
	/** True while the message is being sent to the app. */
	readonly isSending: boolean;
	/** Called when the app has the message. */
	settle(ids: PressedIds): void;
}

/**
 * The state of the message in the field if pressing Send got no answer: `waiting` while the app may have it; `changed` if, meanwhile, its
 * agent or anything except its text was changed, so that pressing Send again would send a second message; `lost` once the app responds
 * again and does not have it. Undefined for a message that was not sent, or that the app refused. Once the app responds, the ids of the
 * press show whether it has the message.
 */
export function useUnconfirmed({ thread, message, isSending, settle }: UnconfirmedPress): keyof typeof unconfirmedNotes | undefined {
	const { app, state } = useApp();
	const press = openPress(thread?.thread.threadId ?? "new");
	const open = press?.prompt === message.prompt ? press : undefined;
	// What the page shows may be older than the message until the app has responded again.
	const [isBack, setBack] = useState(open !== undefined);
	const [shownBefore, setShownBefore] = useState<ThreadDetail>();
	useEffect(() => {
		if (isSending) setBack(false);
		else if (state !== "live") setBack(true);
		if (isSending || state !== "live") setShownBefore(thread);
	}, [isSending, state, thread]);
	const isKnown =
		open !== undefined &&
		(thread === undefined ? app.threads.some(({ threadId }) => threadId === open.ids.begins) : hasTurn(thread, open.ids.turnId));
	const ids = isKnown && !isSending && state === "live" ? open.ids : undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the message is settled once
	useEffect(() => {
		if (ids !== undefined) settle(ids);
	}, [ids?.turnId]);
	if (isSending) return "waiting";
	if (open === undefined || ids !== undefined) return undefined;
	// The list of threads arrives with the connection; an open thread is read afterwards.
	const isCurrent = thread === undefined || thread !== shownBefore;
	if (isBack && state === "live" && isCurrent) return "lost";
	return isOfPress(open, message) ? "waiting" : "changed";
}

function hasTurn({ turns, queued, removed = [] }: ThreadDetail, turnId: string): boolean {
	return turns.some(({ turn }) => turn.turnId === turnId) || [...queued, ...removed].some(({ queuedId }) => queuedId === turnId);
}
