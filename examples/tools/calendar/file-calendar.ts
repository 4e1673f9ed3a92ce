import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { ToolFailed } from "@xworkmate/tool";
import { type CalendarStore, emptyCalendar, eventsIn, type StoredEvent } from "./calendar-store.ts";
import { uidOf } from "./event.ts";
import { type Component, parseCalendar, writeCalendar } from "./ics.ts";

const MAX_BYTES = 10_000_000;

/** Calls run at the same time in this process, and no other writes the file: each reads and writes it as a whole, one after another. */
let last: Promise<unknown> = Promise.resolve();

/** A calendar in one file, `calendar.ics`. */
export function fileCalendar(folder: string): CalendarStore {
	const file = join(folder, "calendar.ics");

	const change = <Result>(act: (calendar: Component) => { readonly result: Result; readonly next?: Component }) => {
		const done = last.then(async () => {
			const { result, next } = act(await read(file));
			if (next !== undefined) await write(file, writeCalendar(next));
			return result;
		});
		last = done.catch(() => undefined);
		return done;
	};

	const replace = (found: StoredEvent, events: readonly Component[]) =>
		change((calendar) => {
			const current = stored(calendar).get(found.id);
			if (current?.version !== found.version) return { result: false };
			const others = calendar.parts.filter((part) => part.name !== "VEVENT" || uidOf(part) !== found.id);
			return { result: true, next: { ...calendar, parts: [...others, ...events] } };
		});

	return {
		within: () => change((calendar) => ({ result: { events: [...stored(calendar).values()], unreadable: [] } })),
		find: (id) => change((calendar) => ({ result: stored(calendar).get(id) })),
		add: (id, event) =>
			change((calendar) =>
				stored(calendar).has(id) ? { result: false } : { result: true, next: { ...calendar, parts: [...calendar.parts, event] } },
			),
		replace: (found, calendar) => replace(found, eventsIn(calendar)),
		remove: (found) => replace(found, []),
	};
}

function stored(calendar: Component): ReadonlyMap<string, StoredEvent> {
	const zones = calendar.parts.filter(({ name }) => name === "VTIMEZONE");
	const groups = Map.groupBy(eventsIn(calendar), uidOf);
	return new Map(
		[...groups].map(([id, events]) => {
			const own = { ...calendar, parts: [...zones, ...events] };
			return [id, { id, calendar: own, place: id, version: writeCalendar(own) }];
		}),
	);
}

async function read(file: string): Promise<Component> {
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw new ToolFailed("The calendar's file could not be read.", { cause: error });
	});
	return text === undefined ? emptyCalendar([]) : parseCalendar(text);
}

/** The file has its old or its new content, whatever happens meanwhile. */
async function write(file: string, text: string): Promise<void> {
	if (Buffer.byteLength(text) > MAX_BYTES) throw new ToolFailed("The calendar is full: its file would be larger than 10 MB.");
	const temporary = `${file}.new`;
	try {
		await using handle = await open(temporary, "w", 0o600);
		await handle.writeFile(text);
		await handle.sync();
	} catch (error) {
		throw new ToolFailed("The calendar's file could not be written, so nothing was changed.", { cause: error });
	}
	await rename(temporary, file);
}
