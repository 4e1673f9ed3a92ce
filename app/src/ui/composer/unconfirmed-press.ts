import { useEffect, useState } from "react";
import type { ThreadDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { onceHeard } from "../connection/app-heard.ts";
import { AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
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
 * The state of the message in the field if pressing Send got no answer: `waiting` while the app may have the message; `changed` if its
 * agent or anything else except its text has been changed, or its text while the request is still open, so that pressing Send again would
 * send a second message; `lost` once the app responds again and does not have the message. Undefined for a message that was not sent, or
 * that the app refused. Once the app responds, the ids of the press show whether the app has the message. If only the request was lost, the
 * page does not reconnect and may receive nothing new, so it asks the app for the message.
 */
export function useUnconfirmed({ thread, message, isSending, settle }: UnconfirmedPress): keyof typeof unconfirmedNotes | undefined {
	const { app, state } = useApp();
	const press = openPress(thread?.thread.threadId ?? "new");
	const open = press?.prompt === message.prompt ? press : undefined;
	// What the page shows may be older than the message until the app has responded again.
	const [isBack, setBack] = useState(open !== undefined);
	const [shownBefore, setShownBefore] = useState<ThreadDetail>();
	/** The turn of a message that the app reported to have when the page asked for it. */
	const [foundTurn, setFoundTurn] = useState<string>();
	useEffect(() => {
		if (isSending) setBack(false);
		else if (state !== "live") setBack(true);
		if (isSending || state !== "live") setShownBefore(thread);
	}, [isSending, state, thread]);
	const isShown =
		open !== undefined &&
		(thread === undefined ? app.threads.some(({ threadId }) => threadId === open.ids.begins) : hasTurn(thread, open.ids.turnId));
	const isKnown = isShown || (open !== undefined && open.ids.turnId === foundTurn);
	const ids = isKnown && !isSending && state === "live" ? open.ids : undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the message is settled once
	useEffect(() => {
		if (ids !== undefined) settle(ids);
	}, [ids?.turnId]);
	// An open thread is read again after the page has reconnected, so it is current once it has been replaced. The list of threads arrives
	// with the connection.
	const isCurrent = thread === undefined || thread !== shownBefore;
	const isLost = isBack && state === "live" && isCurrent;
	const asked = isKnown || isSending || isLost || state !== "live" ? undefined : open?.ids;
	const threadId = thread?.thread.threadId ?? asked?.begins;
	const turnId = asked?.turnId;
	useEffect(() => {
		if (threadId === undefined || turnId === undefined) return;
		return findTurn({ threadId, turnId }, (isThere) => {
			if (isThere) return setFoundTurn(turnId);
			setBack(true);
			setShownBefore(undefined);
		});
	}, [threadId, turnId]);
	if (isSending) return press === undefined || isOfPress(press, message) ? "waiting" : "changed";
	if (open === undefined || ids !== undefined) return undefined;
	if (isLost) return "lost";
	return isOfPress(open, message) ? "waiting" : "changed";
}

/**
 * Asks the app for a turn or queued message whenever anything arrives from the app, until the question is answered. Returns a function that
 * stops this.
 */
function findTurn({ threadId, turnId }: { readonly threadId: string; readonly turnId: string }, found: (isThere: boolean) => void) {
	let isOver = false;
	let stopWaiting = () => {};
	const ask = async (tries: number) => {
		const isThere = await callApp("readThread", { threadId }).then(
			(detail) => hasTurn(detail, turnId),
			// After any other error, the answer is still unknown.
			(error: unknown) => (error instanceof AppRefusal && error.code === "THREAD_NOT_FOUND" ? false : undefined),
		);
		if (isOver) return;
		if (isThere === undefined) wait(tries + 1);
		else found(isThere);
	};
	const wait = (tries: number) => {
		stopWaiting = onceHeard(() => void ask(tries), tries);
	};
	wait(0);
	return () => {
		isOver = true;
		stopWaiting();
	};
}

function hasTurn({ turns, queued, removed = [] }: ThreadDetail, turnId: string): boolean {
	return turns.some(({ turn }) => turn.turnId === turnId) || [...queued, ...removed].some(({ queuedId }) => queuedId === turnId);
}
