import { isTerminal } from "@xworkmate/contracts";
import { applyPlanEvent, planView } from "./plans/domain/plan-state.ts";
import type { PlanEvent, PlanState } from "./ports/plans/plan-event.ts";
import type { RunEvent } from "./ports/runs/run-event.ts";
import { apply, initialState } from "./runs/domain/run-state.ts";
import type { StoredEnd, StoredEvent, StoreToVerify } from "./store/sqlite/file/open-to-verify.ts";

const PAGE_EVENTS = 200;
const PAGE_LOGS = 100;

interface Found {
	readonly problem: (message: string) => void;
	/** Called after each log, with the number of logs read so far. */
	readonly read: (logs: number) => void;
}

export interface VerifiedLogs {
	readonly runs: number;
	readonly plans: number;
	readonly events: number;
}

/**
 * Reads every log to its end. Checks that `seq` has no gap, that each event leads to the status stored with it, and that the views agree
 * with the log.
 */
export function verifyLogs(store: StoreToVerify, { problem, read }: Found): VerifiedLogs {
	const counted = { runs: 0, plans: 0, events: 0 };
	for (const { row, id } of pages((after) => store.runsAfter(after, PAGE_LOGS))) {
		const log = {
			events: (afterSeq: number) => store.eventsOf(row, afterSeq, PAGE_EVENTS),
			end: () => store.runEnd(row),
			begin: () => runFold(),
		};
		const { wrong, events } = verifyLog(log);
		if (wrong !== undefined) problem(`The log of run ${id} ${wrong}`);
		counted.runs += 1;
		counted.events += events;
		read(counted.runs + counted.plans);
	}
	for (const { row, id } of pages((after) => store.plansAfter(after, PAGE_LOGS))) {
		const log = {
			events: (afterSeq: number) => store.planEventsOf(row, afterSeq, PAGE_EVENTS),
			end: () => store.planEnd(row),
			begin: () => planFold(),
		};
		const { wrong, events } = verifyLog(log);
		if (wrong !== undefined) problem(`The log of the plan ${id} ${wrong}`);
		counted.plans += 1;
		counted.events += events;
		read(counted.runs + counted.plans);
	}
	return counted;
}

export function* pages<Item extends { readonly row: number }>(pageAfter: (row: number) => readonly Item[]): Generator<Item> {
	for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)?.row ?? 0)) yield* page;
}

interface Log<Status extends string> {
	readonly events: (afterSeq: number) => readonly StoredEvent<Status>[];
	/** The end of the log according to the views. Undefined: the log has been removed. */
	readonly end: () => (StoredEnd<Status> & { readonly sealed?: object | null }) | undefined;
	/** Returns a function that takes the events one after another and returns the status after each. */
	readonly begin: () => (event: StoredEvent<Status>) => string;
}

interface Verified {
	/** What is wrong, as the rest of a sentence about the log. */
	readonly wrong?: string;
	readonly events: number;
}

function verifyLog<Status extends string>(log: Log<Status>): Verified {
	const fold = log.begin();
	let seq = 0;
	let status: string | undefined;
	for (;;) {
		for (let page = log.events(seq); page.length > 0; page = log.events(seq)) {
			for (const event of page) {
				const wrong = event.seq === seq + 1 ? undefined : `has a gap: event ${seq + 1} is missing.`;
				if (wrong !== undefined) return gone(log) ? { events: seq } : { wrong, events: seq };
				seq = event.seq;
				status = folded(fold, event);
				if (status !== event.status) return { wrong: `is damaged at event ${seq}.`, events: seq };
			}
		}
		// The record is read after the events. Events that were added in between are read too.
		const end = log.end();
		if (end === undefined) return { events: seq };
		if (end.lastSeq > seq && log.events(seq).length > 0) continue;
		if (end.lastSeq !== seq)
			return { wrong: `has ${seq} ${seq === 1 ? "event" : "events"}, but its record says ${end.lastSeq}.`, events: seq };
		if (end.status !== status)
			return { wrong: `ends with the status ${status}, but its record has the status ${end.status}.`, events: seq };
		if (end.sealed === null && isEnded(end.status)) return { wrong: "has ended, but its result is missing.", events: seq };
		return { events: seq };
	}
}

/** True if the log has been removed in the meantime, which leaves gaps. */
function gone({ end }: { readonly end: () => unknown }): boolean {
	return end() === undefined;
}

function isEnded(status: string): boolean {
	return isTerminal(status as Parameters<typeof isTerminal>[0]);
}

/** The status after the event; undefined if the event can't be read or applied. */
function folded<Status extends string>(fold: (event: StoredEvent<Status>) => string, event: StoredEvent<Status>): string | undefined {
	try {
		return fold(event);
	} catch {
		// The text is not JSON, or does not have the form of its event.
		return undefined;
	}
}

function runFold(): (event: StoredEvent<string>) => string {
	let state = initialState;
	return ({ seq, at, body }) => {
		state = apply(state, { seq, at, event: JSON.parse(body) as RunEvent });
		return state.status;
	};
}

function planFold(): (event: StoredEvent<string>) => string {
	let state: PlanState | undefined;
	return ({ seq, body }) => {
		state = applyPlanEvent(state, { seq, event: JSON.parse(body) as PlanEvent });
		return planView(state).status;
	};
}
