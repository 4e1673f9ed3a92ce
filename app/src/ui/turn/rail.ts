import { fill, words } from "../../strings/interface.ts";
import { formatTime } from "../text/format.ts";
import { isAsking, type StageMark, type TurnView } from "./turn-view.ts";

export type SegmentState = "done" | "now" | "need" | "lost" | "miss" | "bad" | "waiting";

export interface RailSegment {
	readonly key: SegmentKey;
	readonly label: string;
	readonly state: SegmentState;
	/** How long the stage took, or has taken so far, for work without the time spent waiting for the user; absent if that is not known. */
	readonly milliseconds?: number;
}

type SegmentKey = "sent" | "queue" | "work" | "collect" | "check" | "save";
const order: readonly SegmentKey[] = ["sent", "queue", "work", "collect", "check", "save"];

const segmentOf: Readonly<Record<StageMark["stage"], SegmentKey>> = {
	sent: "sent",
	queued: "queue",
	starting: "work",
	working: "work",
	waiting_approval: "work",
	stopping: "work",
	collecting: "collect",
	exporting: "check",
	sealing: "check",
	syncing: "save",
};

const labels: Readonly<Record<SegmentKey, { readonly waiting: string; readonly now: string; readonly done: string }>> = {
	sent: { waiting: words.rail.sent, now: words.rail.sending, done: words.rail.sent },
	queue: { waiting: words.rail.queue, now: words.rail.queue, done: words.rail.queue },
	work: { waiting: words.rail.work, now: words.rail.working, done: words.rail.worked },
	collect: { waiting: words.rail.collect, now: words.rail.collecting, done: words.rail.collected },
	check: { waiting: words.rail.check, now: words.rail.checking, done: words.rail.checked },
	save: { waiting: words.rail.save, now: words.rail.saving, done: words.rail.saved },
};

export interface RailTimes {
	/** When the turn was written. All times are by the bridge's clock. */
	readonly createdAt: string;
	readonly now: number;
	/** When the run's state was last known, if contact with the run is lost; if absent, the label shows the time of its last update. */
	readonly asOf?: string | undefined;
}

/**
 * The stages of a run, according to its records. A segment is done only if a later stage was recorded or the run has completed; nothing is
 * guessed.
 */
export function deriveRail(view: TurnView, times: RailTimes): readonly RailSegment[] {
	const begins = segmentBegins(view);
	const current = currentSegment(view, begins);
	const shown = order.filter((key) => key !== "queue" || begins.has("queue") || current === "queue");
	const at = shown.indexOf(current);
	const over = view.ended !== undefined && view.status === "completed";
	return shown.map((key, index) => {
		const state = over || index < at ? "done" : index === at ? currentState(view) : "waiting";
		const begin = nowSince(key, state, view) ?? begins.get(key);
		const end = nextBegin(shown.slice(index + 1), begins);
		// Without contact, it is unknown how long the stage takes. The time until the last update would be shorter than the time that was shown
		// before, as if the clock ran backwards. The label says when the stage was last known.
		const until = state === "done" ? end : times.now;
		const span = state === "lost" ? undefined : spanOf(key, begin, until, times);
		const milliseconds = span === undefined || key !== "work" || state === "need" ? span : span - waitedWithin(view, begin, until);
		return { key, label: labelOf(key, state, view, times), state, ...(milliseconds !== undefined && { milliseconds }) };
	});
}

function segmentBegins(view: TurnView): ReadonlyMap<SegmentKey, number> {
	const begins = new Map<SegmentKey, number>();
	for (const { stage, at } of view.stages) {
		const key = segmentOf[stage];
		if (!begins.has(key)) begins.set(key, Date.parse(at));
	}
	return begins;
}

function currentSegment(view: TurnView, begins: ReadonlyMap<SegmentKey, number>): SegmentKey {
	if (view.syncing !== undefined) return "save";
	if (view.gatewayQueue !== undefined) return "queue";
	if (begins.size === 0) return "sent";
	const last = view.stages.at(-1);
	const key = last === undefined ? "sent" : segmentOf[last.stage];
	return key === "sent" ? (view.status === "queued" ? "queue" : "work") : key;
}

function currentState(view: TurnView): SegmentState {
	if (view.ended !== undefined) {
		if (view.status === "artifact_missing") return "miss";
		return view.status === "interrupted" || view.status === undefined ? "lost" : "bad";
	}
	if (view.lost !== undefined) return "lost";
	return isAsking(view) ? "need" : "now";
}

/** When the open request was made or the stop began, if the label shows either; undefined if it shows neither. */
function nowSince(key: SegmentKey, state: SegmentState, view: TurnView): number | undefined {
	if (state === "need") return askedSince(view);
	const at = isStopping(key, state, view) ? view.stages.findLast(({ stage }) => stage === "stopping")?.at : undefined;
	return at === undefined ? undefined : Date.parse(at);
}

function isStopping(key: SegmentKey, state: SegmentState, { progress }: TurnView): boolean {
	return state === "now" && key === "work" && progress?.stage === "stopping";
}

/** When the oldest open request was made or, if none is known, when the agent last began to wait. */
function askedSince({ items, stages }: TurnView): number | undefined {
	const asked = items.find((item) => item.kind === "approval" && item.approval.state === "pending");
	const at = asked?.kind === "approval" ? asked.approval.requestedAt : stages.findLast(({ stage }) => stage === "waiting_approval")?.at;
	return at === undefined ? undefined : Date.parse(at);
}

function labelOf(key: SegmentKey, state: SegmentState, view: TurnView, times: RailTimes): string {
	const { asOf = view.lastAt } = times;
	const { waiting, now: underWay, done } = labels[key];
	const now = key === "work" && view.progress?.stage === "starting" ? words.rail.starting : underWay;
	if (state === "waiting") return waiting;
	if (state === "done") return done;
	if (state === "need") return words.rail.waiting;
	if (state === "lost") {
		const stage = isAsking(view) ? words.rail.waiting : now;
		return asOf === undefined ? fill(words.rail.unconfirmed, { stage }) : fill(words.rail.lost, { stage, time: formatTime(asOf) });
	}
	if (isStopping(key, state, view)) return words.rail.stopping;
	return now;
}

function nextBegin(later: readonly SegmentKey[], begins: ReadonlyMap<SegmentKey, number>): number | undefined {
	return later.map((key) => begins.get(key)).find((begin) => begin !== undefined);
}

function spanOf(key: SegmentKey, begin: number | undefined, until: number | undefined, { createdAt, now }: RailTimes): number | undefined {
	if (key === "sent" && begin !== undefined) return Math.max(0, begin - Date.parse(createdAt));
	if (key === "queue" && begin === undefined) return Math.max(0, now - Date.parse(createdAt));
	return begin === undefined || until === undefined ? undefined : Math.max(0, until - begin);
}

/** How long, within a span, a request was open that has ended since, or the run was said to wait for an answer. */
function waitedWithin({ items, stages }: TurnView, begin = 0, until = 0): number {
	const asked = items.flatMap((item) =>
		item.kind === "approval" && item.approval.decidedAt !== undefined ? [[item.approval.requestedAt, item.approval.decidedAt]] : [],
	);
	const said = stages.flatMap(({ stage, at }, index) => {
		const next = stages[index + 1]?.at;
		return stage === "waiting_approval" && next !== undefined ? [[at, next]] : [];
	});
	// A stage may be reported once more after the answer, so it counts only if no requests are known.
	const waits = (asked.length > 0 ? asked : said).map((ends) => ends.map((at) => Date.parse(at)));
	let waited = 0;
	let counted = begin;
	// Several requests that are open at a time are one wait.
	for (const [from = 0, to = 0] of waits.toSorted(([one = 0], [other = 0]) => one - other)) {
		const end = Math.min(to, until);
		waited += Math.max(0, end - Math.max(from, counted));
		counted = Math.max(counted, end);
	}
	return waited;
}
