import type { Component } from "./ics.ts";
import type { Range } from "./repeat.ts";

/** All that a calendar has under one id: an event, and the times of it that were changed if it repeats. */
export interface StoredEvent {
	readonly id: string;
	/** A whole calendar with these events, and the time zones that they use. */
	readonly calendar: Component;
	/** Where it is in the store, and the version that was seen. */
	readonly place: string;
	readonly version: string;
}

/** An event that cannot be read. It is said, so that no list passes for complete. */
export interface Unreadable {
	readonly id: string;
	readonly title: string;
	readonly reason: string;
}

/** What can be done with a calendar, wherever it is. */
export interface CalendarStore {
	/** At least all that may have a time within the range. */
	within(range: Range): Promise<{ readonly events: readonly StoredEvent[]; readonly unreadable: readonly Unreadable[] }>;
	find(id: string): Promise<StoredEvent | undefined>;
	/** False: there is one under this id already, which stays as it is. */
	add(id: string, event: Component): Promise<boolean>;
	/** False: it is no longer as it was found, and stays as it is now. */
	replace(found: StoredEvent, calendar: Component): Promise<boolean>;
	/** False: as for `replace`. */
	remove(found: StoredEvent): Promise<boolean>;
}

export function emptyCalendar(events: readonly Component[]): Component {
	const line = (name: string, value: string) => ({ name, params: {}, value, text: `${name}:${value}` });
	return { name: "VCALENDAR", lines: [line("VERSION", "2.0"), line("PRODID", "-//XWorkmate//calendar example//EN")], parts: events };
}

export function eventsIn(calendar: Component): readonly Component[] {
	return calendar.parts.filter(({ name }) => name === "VEVENT");
}
