import type { LoggedEvent, ProviderUpdate } from "../ports/runs/run-event.ts";

/** What a run's log already contains, so that a program that is run again adds only the rest. */
export class SaidBefore {
	/** How much of each message and each thought in the log has not been repeated yet, in UTF-16 units. */
	readonly #messages = new Map<string, number>();
	/** How many times each other update is in the log without having been repeated yet. */
	readonly #others = new Map<string, number>();

	add(events: readonly LoggedEvent[]): void {
		for (const { event } of events) {
			if (event.type !== "said") continue;
			if (isText(event.update)) addTo(this.#messages, textName(event.update), event.update.text.length);
			else addTo(this.#others, nameOf(event.update), 1);
		}
	}

	/** The part of an update that is not in the log yet; undefined if all of it is. */
	rest(update: ProviderUpdate): ProviderUpdate | undefined {
		if (!isText(update)) return takeFrom(this.#others, nameOf(update), 1) === 1 ? undefined : update;
		const said = takeFrom(this.#messages, textName(update), update.text.length);
		return said === update.text.length ? undefined : { ...update, text: update.text.slice(said) };
	}
}

type Text = Extract<ProviderUpdate, { kind: "message_delta" | "thought_delta" }>;

function isText(update: ProviderUpdate): update is Text {
	return update.kind === "message_delta" || update.kind === "thought_delta";
}

function textName({ kind, messageId }: Text): string {
	return `${kind} ${messageId}`;
}

/** The name under which an update is counted. A call is reported once in each of its states. */
function nameOf(update: ProviderUpdate): string {
	if (update.kind === "tool_call") return `${update.toolCallId} ${update.state}`;
	return update.kind === "notice" ? `${update.code} ${update.message}` : update.kind;
}

function addTo(counts: Map<string, number>, name: string, count: number): void {
	counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Takes up to `count` from a counter, and returns how many it took. */
function takeFrom(counts: Map<string, number>, name: string, count: number): number {
	const left = counts.get(name) ?? 0;
	const taken = Math.min(left, count);
	if (taken > 0) counts.set(name, left - taken);
	return taken;
}
