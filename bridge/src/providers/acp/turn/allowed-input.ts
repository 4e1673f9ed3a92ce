import { onlyLooks, type ToolCall, type ToolCallId, type ToolKind } from "@xworkmate/contracts";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import type { ToolQuestion } from "../../tool-question.ts";
import { type CallFacts, otherPlace, pathKeys, placeKeys } from "../protocol/call-facts.ts";
import { harmlessKeys } from "../protocol/command-line.ts";
import { filePath, isInside, placeOf, realPlace } from "./real-place.ts";

/** What a request showed of a call's input when it was allowed. */
interface ShownInput {
	/** The input's fields, with their values or digests of them. */
	readonly fields: ReadonlyMap<string, string>;
	/** The working directories that had been named when the call was allowed. */
	readonly places: ReadonlySet<string>;
	readonly text: string;
}

/** The allowed and the reported value of one field. Empty if one of them is too long to be shown. */
type Difference = Partial<NonNullable<ToolCall["swapped"]>>;

type ToolCallUpdate = Extract<ProviderUpdate, { kind: "tool_call" }>;

/** How many allowed calls are remembered. */
const REMEMBERED = 500;
/** The maximum number of characters shown of all allowed values together, and of all reported ones. */
const NAMED = 300;
/** Matches the digest that is kept of a long value, which therefore can't be shown. */
const DIGEST = /^[0-9a-f]{64}$/;
/** The forms in which an empty value is kept. */
const unstated: ReadonlySet<string> = new Set(["", "null"]);
/** Fields that are not compared here: commands, the ids that an agent gives its own messages, and fields without an effect. */
const notCompared: ReadonlySet<string> = new Set(["command", "cmd", "call_id", "turn_id", ...harmlessKeys]);

/** Finds calls whose agent reports an input other than the allowed one. Commands and the files of edits are compared elsewhere. */
export class AllowedInput {
	readonly #allowed = new Map<ToolCallId, ShownInput>();

	allowed({ toolCallId, title, toolKind, command }: ToolQuestion, { fields, shown, places }: CallFacts): void {
		const compared = [...fields].filter(([key]) => shown.has(key) && isCompared(key, toolKind));
		this.#allowed.delete(toolCallId);
		this.#allowed.set(toolCallId, { fields: new Map(compared), places, text: command ?? title });
		const [oldest] = this.#allowed.keys();
		if (this.#allowed.size > REMEMBERED && oldest !== undefined) this.#allowed.delete(oldest);
	}

	/** If the input of a call that has ended differs from the allowed one, adds that to the call's report. Never rejects. */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call" || (update.state !== "completed" && update.state !== "failed")) return update;
		return await this.compare(update, facts, workingDirectory);
	}

	/** The same for a call in any state, at the end of its turn. Never rejects. */
	async compare<Call extends ToolCallUpdate>(update: Call, facts: CallFacts, workingDirectory: string): Promise<Call> {
		const allowed = this.#allowed.get(update.toolCallId);
		if (allowed === undefined || update.unpermitted !== undefined) return update;
		const found = await differences(allowed, facts, workingDirectory);
		if (found.length === 0) return update;
		const named = found.flatMap(({ allowed: before, reported }) =>
			before === undefined || reported === undefined ? [] : [{ before, reported }],
		);
		const line = (side: readonly string[]) => side.join(", ").slice(0, NAMED).toWellFormed();
		const swapped = { allowed: line(named.map(({ before }) => before)), reported: line(named.map(({ reported }) => reported)) };
		return { ...update, unpermitted: "another", ...(named.length > 0 && swapped.allowed !== swapped.reported && { swapped }) };
	}
}

/** Paths are compared here only for calls that change nothing. AllowedFiles compares those of edits, deletions and other calls. */
function isCompared(key: string, toolKind: ToolKind): boolean {
	return !notCompared.has(key) && (!pathKeys.has(key) || onlyLooks(toolKind));
}

async function differences(allowed: ShownInput, facts: CallFacts, workingDirectory: string): Promise<readonly Difference[]> {
	const found: Difference[] = [];
	for (const [key, before] of allowed.fields) {
		const now = facts.fields.get(key) ?? before;
		if (isSameValue(before, now)) continue;
		const isPlace = placeKeys.has(key) || pathKeys.has(key);
		const isLong = DIGEST.test(before) || DIGEST.test(now);
		if (isPlace && (isLong || (await isSamePlace(key, before, now, facts, workingDirectory)))) continue;
		// An input without fields, such as a text, is kept under an empty key.
		const name = key === "" ? "" : `${key}: `;
		found.push(isLong ? {} : { allowed: `${name}${before}`, reported: `${name}${now}` });
	}
	if (found.length > 0) return found;
	const known = await Promise.all([workingDirectory, ...allowed.places].map((place) => realPlace(placeOf(workingDirectory, place))));
	for (const place of facts.places) {
		if (known.includes(await realPlace(placeOf(workingDirectory, place)))) continue;
		found.push({ allowed: allowed.text, reported: `${allowed.text} in ${place}` });
	}
	return found.slice(0, 1);
}

/** True if two values are the same, or if one of them is empty: an agent may fill in a value when it reports the call. */
function isSameValue(before: string, now: string): boolean {
	return unstated.has(before) || unstated.has(now) || spelled(before) === spelled(now);
}

/** Brings equivalent spellings of an address into one form. */
function spelled(value: string): string {
	return filePath(value) ?? (value.includes("://") ? URL.parse(value)?.href : undefined) ?? value;
}

/**
 * Whether two paths are the same in different spellings or, unless they are working directories, the reported path is in the allowed
 * folder.
 */
async function isSamePlace(key: string, before: string, now: string, facts: CallFacts, workingDirectory: string): Promise<boolean> {
	// If another directory was named, a relative path may start there, so the paths can't be compared.
	if (pathKeys.has(key) && otherPlace(facts, workingDirectory) !== undefined) return true;
	const one = await realPlace(placeOf(workingDirectory, before));
	const other = await realPlace(placeOf(workingDirectory, now));
	return pathKeys.has(key) ? isInside(other, one) : one === other;
}
