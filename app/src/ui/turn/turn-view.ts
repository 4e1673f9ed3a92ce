import type { Approval, MessageId, PlanEntry, ProgressStage, Receipt, RunId, RunStatus, SessionUpdate, Usage } from "@xworkmate/contracts";
import type { GatewayQueuePosition, TurnEvent } from "../../api/app-api.ts";
import type { TurnDetail } from "../../api/ui-api.ts";
import { runReceiptLine } from "../../text/calls/decision-line.ts";
import type { TurnStatus } from "../../threads/domain/thread.ts";
import type { CheckedAnswer } from "./checked-answer.ts";
import { hasEnded, isOpenTyped, type SeenCall, withRequest } from "./seen-call.ts";
import { isSettledStatus } from "./settled.ts";

type Ended = Extract<TurnEvent, { type: "ended" }>;

/** What a turn shows, in the order in which it first appeared. A request in the middle of a message splits the message. */
export type TurnItem =
	| { readonly kind: "message"; readonly key: string; readonly messageId: MessageId; readonly text: string }
	| { readonly kind: "thought"; readonly key: string; readonly text: string; readonly from: string; readonly to: string }
	| { readonly kind: "tool"; readonly key: string; readonly call: SeenCall; readonly from: string; readonly to: string }
	| { readonly kind: "approval"; readonly key: string; readonly approval: Approval }
	| {
			readonly kind: "notice";
			readonly key: string;
			readonly level: "info" | "warning" | "error";
			/** Absent if the message says everything that the code would. */
			readonly code?: string;
			readonly message: string;
	  };

export interface StageMark {
	readonly stage: ProgressStage | "sent" | "syncing";
	readonly at: string;
	readonly message?: string;
}

/** One turn, derived from its stored updates and the app's own events. */
export interface TurnView {
	readonly seq: number;
	readonly runId?: RunId;
	readonly status?: RunStatus;
	readonly items: readonly TurnItem[];
	/** How many of the items are requests. */
	readonly asked: number;
	/** In the order of the run's log. */
	readonly receipts: readonly Receipt[];
	readonly plan?: readonly PlanEntry[];
	readonly usage?: Usage;
	readonly files?: { readonly count: number; readonly totalBytes: number; readonly rejected: number };
	/** Oldest first. A stage appears again each time the run returns to it. */
	readonly stages: readonly StageMark[];
	readonly progress?: {
		readonly stage: ProgressStage;
		readonly message?: string;
		readonly queuePosition?: number;
		readonly queueLength?: number;
	};
	/** The time of the last update, by the bridge's clock. */
	readonly lastAt?: string;
	/**
	 * The time of the last update before the run's end. The end itself may be later than the work, because a restarted bridge writes the ends
	 * of the runs that it lost.
	 */
	readonly workedAt?: string;
	readonly gatewayQueue?: GatewayQueuePosition;
	/** `bridgeEnded`: the bridge that executed the run has ended. `local`: the app could not save the run's updates. */
	readonly lost?: { readonly code: string; readonly bridgeEnded?: true; readonly local?: true };
	/** The check of the answer, if it was checked. */
	readonly checked?: CheckedAnswer;
	readonly syncing?: { readonly files: number; readonly totalBytes: number };
	readonly ended?: Ended;
}

export const emptyTurn: TurnView = { seq: 0, items: [], asked: 0, receipts: [], stages: [] };

/** The position of each item in the newest list of a turn. It is passed on from list to list, because a long run has thousands of items. */
const placesOf = new WeakMap<readonly TurnItem[], Map<string, number>>();

/** Applies a batch at once, so that thousands of updates copy the list only once. Updates that were seen before are skipped. */
export function foldEvents(view: TurnView, events: readonly TurnEvent[]): TurnView {
	const items = [...view.items];
	const places = placesOf.get(view.items) ?? new Map(items.map((item, index) => [item.key, index]));
	// From here on, the positions no longer match the older list. If that list is used again, they are computed from its items.
	placesOf.delete(view.items);
	placesOf.set(items, places);
	let next = view;
	const receipts: Receipt[] = [];
	for (const event of events) {
		if (event.type === "update" && event.update.seq > next.seq && event.update.update.kind === "receipt")
			receipts.push(event.update.update);
		if (event.type === "update") next = event.update.seq <= next.seq ? next : foldUpdate(next, event.update, items, places);
		else next = foldAround(next, event);
	}
	return { ...next, items, ...(receipts.length > 0 && { receipts: [...view.receipts, ...receipts] }) };
}

function foldAround(view: TurnView, event: Exclude<TurnEvent, { type: "update" }>): TurnView {
	switch (event.type) {
		case "gatewayQueue": {
			const { type: _, ...gatewayQueue } = event;
			return { ...view, gatewayQueue };
		}
		case "connection_lost": {
			const { type: _, ...lost } = event;
			return { ...view, lost };
		}
		case "connection_restored":
			return without(view, "lost");
		case "syncing":
			return { ...view, syncing: { files: event.files, totalBytes: event.totalBytes } };
		case "ended":
			return { ...without(view, "lost"), ended: event };
	}
}

function foldUpdate(view: TurnView, params: SessionUpdate, items: TurnItem[], places: Map<string, number>): TurnView {
	const { update, seq, at, runId, status } = params;
	// Updates that arrive while catching up may be older or newer than the loss of contact, so contact stays lost until the app reports it
	// restored.
	const next: TurnView = { ...without(view, "gatewayQueue"), seq, runId, status, lastAt: at, ...(isOfWork(params) && { workedAt: at }) };
	const put = (item: TurnItem) => {
		const place = places.get(item.key);
		if (place !== undefined) items[place] = item;
		else places.set(item.key, items.push(item) - 1);
	};
	const stages = view.stages.length === 0 ? [{ stage: "sent" as const, at }] : view.stages;
	switch (update.kind) {
		case "status":
			return foldProgress({ ...next, stages }, update.progress, at);
		case "message_delta": {
			const { messageId } = update;
			const key = `m:${messageId}:${view.asked}`;
			const before = items[places.get(key) ?? -1];
			put({ kind: "message", key, messageId, text: (before?.kind === "message" ? before.text : "") + update.text });
			return { ...next, stages };
		}
		case "thought_delta": {
			const key = `t:${update.messageId}:${view.asked}`;
			const before = items[places.get(key) ?? -1];
			const known = before?.kind === "thought" ? before : undefined;
			put({ kind: "thought", key, text: (known?.text ?? "") + update.text, from: known?.from ?? at, to: at });
			return { ...next, stages };
		}
		case "tool_call": {
			const key = `c:${update.toolCallId}`;
			const before = items[places.get(key) ?? -1];
			const { kind: _, reportedState: _ofThisUpdate, ...call } = update;
			const known = before?.kind === "tool" ? before : undefined;
			put({
				kind: "tool",
				key,
				call: { ...(known?.call ?? requested(items, view, call.toolCallId)), ...call },
				from: known?.from ?? at,
				// An agent may repeat the end of a call, and the bridge reports a call again once its files show something else.
				to: known !== undefined && hasEnded(known.call) && hasEnded(call) ? known.to : at,
			});
			return { ...next, stages };
		}
		case "approval": {
			const { kind: _, ...approval } = update;
			const key = `a:${approval.approvalId}`;
			const asked = places.has(key) ? view.asked : view.asked + 1;
			put({ kind: "approval", key, approval });
			const about = items[places.get(`c:${approval.toolCallId}`) ?? -1];
			if (about?.kind === "tool") put({ ...about, call: withRequest(about.call, approval) });
			return { ...next, stages, asked };
		}
		case "receipt": {
			if (update.type === "auth.profile.rotated") {
				put({ kind: "notice", key: `n:${seq}`, level: "info", message: runReceiptLine(update) });
				return { ...next, stages };
			}
			const about = items[places.get(`c:${update.toolCallId}`) ?? -1];
			if (update.type === "tool.call.unknown" && about?.kind === "tool") put({ ...about, call: { ...about.call, isUnknown: true } });
			return next;
		}
		case "notice":
			put({ kind: "notice", key: `n:${seq}`, level: update.level, code: update.code, message: update.message });
			return { ...next, stages };
		case "plan":
			return { ...next, stages, plan: update.entries };
		case "usage": {
			const { kind: _, ...usage } = update;
			return { ...next, stages, usage: { ...view.usage, ...usage } };
		}
		case "answer": {
			const { kind: _, ...checked } = update;
			return { ...next, stages, checked };
		}
		case "artifacts":
			return { ...next, stages, files: { count: update.count, totalBytes: update.totalBytes, rejected: update.rejected } };
		default:
			// An unknown kind only advances the seq; nothing is shown for it (docs/protocol.md#compatibility).
			return next;
	}
}

/** What a call's own request says about it. The request for a typed call arrives before the call itself. */
function requested(
	items: readonly TurnItem[],
	{ asked }: TurnView,
	toolCallId: string,
): Pick<SeenCall, "isAsked" | "wasAsked" | "hasRequest"> {
	if (asked === 0) return { isAsked: false };
	const of = items.flatMap((item) => (item.kind === "approval" && item.approval.toolCallId === toolCallId ? [item.approval] : []));
	const hasRequest = of.some(({ toolId }) => toolId !== undefined);
	return { isAsked: of.some(isOpenTyped), hasRequest, ...(of.length > 0 && { wasAsked: true as const }) };
}

/** The last message that contains text, in full, and the items that it consists of. */
export function lastMessage(items: readonly TurnItem[]): { readonly text: string; readonly parts: ReadonlySet<TurnItem> } | undefined {
	const last = items.findLast((item) => item.kind === "message" && item.text.trim() !== "");
	if (last?.kind !== "message") return undefined;
	const parts = items.filter((item) => item.kind === "message" && item.messageId === last.messageId);
	return { text: parts.map((item) => (item.kind === "message" ? item.text : "")).join(""), parts: new Set(parts) };
}

/** Reasons for closing a request without an answer: its run was stopped or ended, the bridge stopped, or the asker withdrew it. */
const lapses: ReadonlySet<string | undefined> = new Set(["withdrawn", "bridge_stopped", "run_ended", "run_stopped"]);

/** Everything that the agent said, in the order of the log, for copying. Undefined if it said nothing. */
export function allMessages(items: readonly TurnItem[]): string | undefined {
	const said = new Map<MessageId, string>();
	for (const item of items) if (item.kind === "message") said.set(item.messageId, (said.get(item.messageId) ?? "") + item.text);
	const texts = [...said.values()].filter((text) => text.trim() !== "");
	return texts.length === 0 ? undefined : texts.join("\n\n");
}

/**
 * What is still open when a run ends is closed just before that: requests are withdrawn, and calls get their last receipts. Such updates
 * are not part of the run's work.
 */
function isOfWork({ update, status }: SessionUpdate): boolean {
	if (isSettledStatus(status) || (update.kind === "approval" && update.state === "withdrawn")) return false;
	return !(update.kind === "receipt" && (update.type === "tool.call.unknown" || lapses.has(update.decision?.reason)));
}

type StatusProgress = Extract<SessionUpdate["update"], { kind: "status" }>["progress"];

function foldProgress(view: TurnView, progress: StatusProgress, at: string): TurnView {
	if (progress === undefined) return view;
	const { stage, message, queuePosition, queueLength } = progress;
	const last = view.stages.at(-1);
	const mark: StageMark = { stage, at, ...(message !== undefined && { message }) };
	return {
		...view,
		progress: {
			stage,
			...(message !== undefined && { message }),
			...(queuePosition !== undefined && { queuePosition }),
			...(queueLength !== undefined && { queueLength }),
		},
		stages: last?.stage === stage ? view.stages : [...view.stages, mark],
	};
}

function without(view: TurnView, key: "gatewayQueue" | "lost"): TurnView {
	if (view[key] === undefined) return view;
	const { gatewayQueue, lost, ...rest } = view;
	return { ...rest, ...(key !== "gatewayQueue" && gatewayQueue && { gatewayQueue }), ...(key !== "lost" && lost && { lost }) };
}

/**
 * How the run ended, according to its updates, until its thread reports it; undefined while it is in progress. A completed run is in
 * progress until its files are saved.
 */
export function endOf({ ended, status }: Pick<TurnView, "ended" | "status">): TurnStatus | undefined {
	if (ended !== undefined) return ended.turn.status;
	return status !== undefined && status !== "completed" && isSettledStatus(status) ? status : undefined;
}

/** Adds answers that the app has already announced: the run's own update arrives a moment later. */
export function withAnswers(view: TurnView, answers: ReadonlyMap<string, Approval>): TurnView {
	if (view.asked === 0) return view;
	const items = view.items.map((item): TurnItem => {
		const record = item.kind === "approval" && item.approval.state === "pending" ? answers.get(item.approval.approvalId) : undefined;
		return item.kind === "approval" && record !== undefined ? { ...item, approval: record } : item;
	});
	return items.every((item, index) => item === view.items[index]) ? view : { ...view, items };
}

/** Adds what the app already knows about the turn: the run's own updates of its beginning and its end arrive a moment later. */
export function withTurn(view: TurnView, { turn, snapshot }: Pick<TurnDetail, "turn" | "snapshot">): TurnView {
	if (turn.status === "running" && view.progress?.stage === "queued" && view.lastAt !== undefined)
		return foldProgress(view, { stage: "starting" }, view.lastAt);
	const { count = 0, totalBytes = 0 } = snapshot?.artifacts ?? {};
	if (turn.status === "completed" && view.syncing === undefined && count > 0) return { ...view, syncing: { files: count, totalBytes } };
	return view;
}

/** True if contact is lost only because the run's updates cannot be saved; the connection may be fine. */
export function isDiskFull({ lost }: Pick<TurnView, "lost">): boolean {
	return lost?.code === "DISK_FULL";
}

/** True while the agent waits for the user: one of its requests is open, or it reports that it waits although no request is known. */
export function isAsking(view: TurnView): boolean {
	if (view.ended !== undefined) return false;
	const asked = view.asked === 0 ? [] : view.items.filter(({ kind }) => kind === "approval");
	if (asked.length === 0) return view.progress?.stage === "waiting_approval";
	return asked.some((item) => item.kind === "approval" && item.approval.state === "pending");
}
