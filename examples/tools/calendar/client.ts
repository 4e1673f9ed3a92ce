import { createHash } from "node:crypto";
import { type ToolContext, ToolFailed } from "@xworkmate/tool";
import { account } from "./account.ts";
import { type CalendarStore, eventsIn, type Unreadable } from "./calendar-store.ts";
import { davCalendar } from "./dav-calendar.ts";
import { type Event, movedEvent, type NewEvent, newEvent, readEvent, titleOf, uidOf, wasMovedBy } from "./event.ts";
import { fileCalendar } from "./file-calendar.ts";
import { momentOf, type Range, timesOf } from "./repeat.ts";
import { isSameTime, type Time } from "./time.ts";

export interface Occurrence {
	readonly event: Event;
	readonly start: Time;
	readonly end: Time;
}

/** Which event is meant, as the user was shown it. */
export interface Meant {
	readonly id: string;
	readonly title: string;
	readonly start: Time;
}

type Call = Pick<ToolContext, "dataFolder" | "http" | "idempotencyKey" | "attempt">;

/** The calendar of the account, or the one in the tool's folder. */
export class CalendarClient {
	readonly #store: CalendarStore;
	readonly #call: Call;
	/** Tells this call from every other, also to servers and in files. */
	readonly #key: string;

	constructor(call: Call) {
		this.#store = account === undefined ? fileCalendar(call.dataFolder) : davCalendar(call.http, account);
		this.#call = call;
		this.#key = createHash("sha256").update(call.idempotencyKey).digest("hex").slice(0, 32);
	}

	async list(range: Range): Promise<{ found: Occurrence[]; notShown: Unreadable[] }> {
		const found: Occurrence[] = [];
		const { events: stored, unreadable } = await this.#store.within(range);
		const notShown = [...unreadable];
		for (const { calendar } of stored) {
			const components = eventsIn(calendar);
			try {
				const events = components.map(readEvent);
				const replaced = events.flatMap(({ replaces }) => (replaces === undefined ? [] : [replaces]));
				for (const event of events.filter(({ isCancelled }) => !isCancelled)) {
					const except = event.replaces === undefined ? [...event.except, ...replaced] : [];
					found.push(...timesOf({ ...event, except }, range).map((times) => ({ event, ...times })));
				}
			} catch (error) {
				if (!(error instanceof ToolFailed)) throw error;
				const [first] = components;
				if (first !== undefined) notShown.push({ id: uidOf(first), title: titleOf(first), reason: error.message });
			}
		}
		return { found: found.sort((one, other) => momentOf(one.start) - momentOf(other.start)), notShown };
	}

	/** The id comes from the call's key: a second attempt meets what the first has created, and creates nothing. */
	async create(event: Omit<NewEvent, "id">): Promise<string> {
		checkLength(event.start, event.end);
		const id = `${this.#key}@xworkmate`;
		const isAdded = await this.#store.add(id, newEvent({ ...event, id }, new Date()));
		if (!isAdded && this.#call.attempt === 1)
			throw new ToolFailed("The calendar has an event with this id already, so nothing was created.");
		return id;
	}

	async move(meant: Meant, start: Time, end: Time): Promise<void> {
		checkLength(start, end);
		const found = await this.#store.find(meant.id);
		const [component, ...others] = found === undefined ? [] : eventsIn(found.calendar);
		if (found === undefined || component === undefined) throw new ToolFailed(`There is no event with the id ${meant.id}.`);
		if (wasMovedBy(component, this.#key)) return;
		const event = readEvent(component);
		if (event.repeats !== undefined || others.length > 0)
			throw new ToolFailed(`"${event.title}" repeats. Only events that happen once can be moved; change it in your calendar.`);
		checkMeant(event, meant);
		const moved = movedEvent(component, { start, end, key: this.#key }, new Date());
		const parts = found.calendar.parts.map((part) => (part === component ? moved : part));
		if (!(await this.#store.replace(found, { ...found.calendar, parts }))) throw changedMeanwhile();
	}

	async delete(meant: Meant, isSeries: boolean): Promise<void> {
		const found = await this.#store.find(meant.id);
		const [component] = found === undefined ? [] : eventsIn(found.calendar).toSorted((one, other) => repeatRank(one) - repeatRank(other));
		if (found === undefined || component === undefined) {
			// An earlier attempt may have deleted it; what was asked for is so.
			if (this.#call.attempt > 1) return;
			throw new ToolFailed(`There is no event with the id ${meant.id}.`);
		}
		const event = readEvent(component);
		const repeats = event.repeats !== undefined;
		if (repeats && !isSeries)
			throw new ToolFailed(`"${event.title}" repeats, and one of its times cannot be deleted alone. Set series to delete all of them.`);
		if (!repeats && isSeries) throw new ToolFailed(`"${event.title}" does not repeat. Delete it without series.`);
		checkMeant(event, meant);
		if (!(await this.#store.remove(found))) throw changedMeanwhile();
	}
}

/** The event itself comes before the changed times of it. */
function repeatRank(component: Parameters<typeof uidOf>[0]): number {
	return component.lines.some(({ name }) => name === "RECURRENCE-ID") ? 1 : 0;
}

/** What the user has allowed is about this event as it was shown, not about whatever has its id now. */
function checkMeant(event: Event, meant: Meant): void {
	if (event.title !== meant.title || !isSameTime(event.start, meant.start))
		throw new ToolFailed("The event with this id has another title or start, so nothing was changed. List the events again.");
}

function checkLength(start: Time, end: Time): void {
	if (start.kind !== end.kind) throw new ToolFailed("Start and end must both be days, or both have a time.");
	if (momentOf(end) < momentOf(start) || (start.kind === "day" && momentOf(end) === momentOf(start)))
		throw new ToolFailed("The event would end before it begins. The end of a whole-day event is the day after its last.");
}

function changedMeanwhile(): ToolFailed {
	return new ToolFailed("The event was changed by someone else at this moment, so nothing was done. List the events again.");
}
