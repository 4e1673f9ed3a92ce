import type { ThreadId } from "@xworkmate/contracts";
import { useEffect, useRef } from "react";
import type { AppState } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { type ShownState, stateWords } from "../../strings/runs/states.ts";
import { requestName } from "../../text/calls/asked-view.ts";
import { withUnpermitted } from "../../text/calls/unpermitted-words.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { go } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";
import { threadState, threadWord } from "../turn/thread-state.ts";
import { offerNotices } from "./notice-offer.tsx";
import { isInFront, noticePermission, showNotice } from "./system-notice.ts";

const over: ReadonlySet<ShownState> = new Set([
	...([
		"succeeded",
		"not_saved",
		"not_all_done",
		"outcome_unknown",
		"not_verified",
		"permission_in_doubt",
		"files_rejected",
		"failed",
		"file_missing",
		"cancelled",
		"interrupted",
		"not_sent",
	] as const),
]);
/** Ends after which “A run finished” would be wrong: the message may never have run, or the run did not get to its end. */
const withoutOffer: ReadonlySet<ShownState> = new Set(["cancelled", "interrupted", "not_sent"]);
const underWay: ReadonlySet<ShownState> = new Set(["sending", "running", "queued", "syncing", "needs_you"]);

/**
 * Announces the end of each run, and each request that is new or has expired, once to screen readers. If several requests are open, a new
 * request is announced by how many are open. Ends and new requests are also shown as system notifications while the page is in the
 * background.
 */
export function useNotices(): void {
	const { app, link, announce } = useApp();
	const states = useRef(new Map<string, ShownState>());
	const requests = useRef<Set<string>>(undefined);
	useEffect(() => {
		const asked = new Set(app.approvals.map(({ threadId }) => threadId));
		for (const thread of app.threads) {
			const state = threadState(thread, asked.has(thread.threadId));
			const before = states.current.get(thread.threadId);
			states.current.set(thread.threadId, state);
			if (before === undefined || before === state || !underWay.has(before) || !over.has(state)) continue;
			const word = withUnpermitted(threadWord(thread, state) ?? stateWords[state], thread.unpermitted);
			const text = fill(words.live.ended, { title: visibleName(thread.title), state: word });
			announce(text);
			notify(text, thread.threadId);
			if (!withoutOffer.has(state)) offerOnReturn();
		}
	}, [app.threads, app.approvals, announce]);
	useEffect(() => {
		const known = requests.current;
		requests.current = new Set(app.approvals.map(({ approvalId }) => approvalId));
		const fresh: string[] = [];
		for (const approval of known === undefined ? [] : app.approvals) {
			if (known?.has(approval.approvalId)) continue;
			const text = fill(words.ask.announce, { provider: agentOf(app, approval.threadId), title: bounded(requestName(approval)) });
			fresh.push(text);
			notify(text, approval.threadId);
		}
		const [text, ...others] = fresh;
		if (text === undefined) return;
		const waiting = app.approvals.length;
		announce(others.length === 0 && waiting === 1 ? text : fill(words.ask.announceAll, { count: waiting }));
	}, [app, announce]);
	const answers = useStore(link.answers);
	const expired = useRef<Set<string>>(undefined);
	useEffect(() => {
		const known = expired.current;
		const now = [...answers.values()].filter(({ state }) => state === "expired");
		expired.current = new Set(now.map(({ approvalId }) => approvalId));
		for (const approval of known === undefined ? [] : now)
			if (!known?.has(approval.approvalId))
				announce(fill(words.ask.announceExpired, { title: bounded(requestName(approval)), what: words.ask.expired }));
	}, [answers, announce]);
}

/** The maximum length of a title that is read aloud: enough to recognize a request, and short enough to listen to. */
const SPOKEN_CHARACTERS = 100;

function bounded(title: string): string {
	const shown = [...visibleName(title.slice(0, 10 * SPOKEN_CHARACTERS))];
	return shown.length <= SPOKEN_CHARACTERS ? shown.join("") : `${shown.slice(0, SPOKEN_CHARACTERS).join("").trimEnd()}…`;
}

function agentOf({ threads, bridge }: AppState, threadId: ThreadId): string {
	const providerId = threads.find((thread) => thread.threadId === threadId)?.providerId;
	const known = bridge.capabilities?.providers.find((provider) => provider.providerId === providerId);
	return visibleName(known?.label ?? providerId ?? words.ask.anAgent);
}

function notify(text: string, threadId: ThreadId): void {
	if (preferences.value.notices === false) return;
	showNotice({ title: words.product, body: text, tag: threadId, open: () => go({ page: "thread", threadId }) });
}

/** Offers notifications when the user returns after a run finished in the background. */
function offerOnReturn(): void {
	if (isInFront() || preferences.value.noticesOffered === true || noticePermission() !== "default") return;
	addEventListener("focus", offerNotices, { once: true });
}
