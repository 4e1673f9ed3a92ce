import type { Approval } from "@xworkmate/contracts";
import type { TurnItem } from "./turn-view.ts";

/** Items that are shown together: one message, adjacent thoughts and tools, or requests of typed calls with those calls. */
type TurnGroup = readonly TurnItem[];
/** Several groups, so that the page does not have to render unchanged ones again. Never empty. */
export type TurnPart = readonly TurnGroup[];

const GROUP_ITEMS = 40;
const PART_GROUPS = 20;

/** A turn's items and the parts that they were split into. */
export interface SplitTurn {
	readonly items: readonly TurnItem[];
	readonly parts: readonly TurnPart[];
}

/**
 * Splits a turn's items into groups and parts. New items change only the last part, unless an earlier item itself changed. The unchanged
 * parts of `before` are kept, so that a run with thousands of steps is not split and compared again for every new one.
 */
export function partsOf(items: readonly TurnItem[], before?: SplitTurn): readonly TurnPart[] {
	const parts = before === undefined ? [] : unchangedParts(items, before);
	const groups = groupsOf(items.slice(parts.reduce((sum, part) => sum + countItems(part), 0)));
	for (let from = 0; from < groups.length; from += PART_GROUPS) parts.push(groups.slice(from, from + PART_GROUPS));
	return parts;
}

/**
 * The parts before the first changed item. The last part, and one that ends at the changed item, may be continued, so they are not
 * included.
 */
function unchangedParts(items: readonly TurnItem[], before: SplitTurn): TurnPart[] {
	const changed = items.findIndex((item, index) => item !== before.items[index]);
	const same = changed === -1 ? items.length : changed;
	let end = 0;
	const last = before.parts.findIndex((part) => {
		end += countItems(part);
		return end >= same;
	});
	return before.parts.slice(0, last === -1 ? -1 : last);
}

function countItems(part: TurnPart): number {
	return part.reduce((sum, group) => sum + group.length, 0);
}

function groupsOf(items: readonly TurnItem[]): readonly TurnGroup[] {
	const groups: TurnItem[][] = [];
	for (const item of items) {
		const last = groups.at(-1);
		if (last !== undefined && last.length < GROUP_ITEMS && isWith(item, last)) last.push(item);
		else groups.push([item]);
	}
	return groups;
}

/** Thoughts and tools are shown together. So are the requests of typed calls that wait at the same time, together with those calls. */
function isWith(item: TurnItem, group: TurnGroup): boolean {
	const isQuiet = (one: TurnItem | undefined) => one?.kind === "thought" || one?.kind === "tool";
	const [first] = group;
	if (first?.kind !== "approval") return isQuiet(item) && isQuiet(first);
	if (!isTyped(first)) return false;
	if (item.kind === "tool") return item.call.hasRequest === true;
	return (
		item.kind === "approval" && isTyped(item) && group.some((one) => one.kind === "approval" && waitsWith(one.approval, item.approval))
	);
}

function isTyped({ approval }: Extract<TurnItem, { kind: "approval" }>): boolean {
	return approval.toolId !== undefined;
}

/** True if both requests belong to one run, and the first was still open when the second was made. */
export function waitsWith({ runId, decidedAt, state }: Approval, { runId: other, requestedAt }: Approval): boolean {
	return runId === other && (state === "pending" || (decidedAt !== undefined && Date.parse(decidedAt) > Date.parse(requestedAt)));
}

/**
 * The items of a group, with consecutive thoughts joined into one. Items that are not joined stay the same objects, so that their rows are
 * not rendered again.
 */
export function joinedThoughts(items: readonly TurnItem[]): readonly TurnItem[] {
	const joined: TurnItem[] = [];
	for (const item of items) {
		const last = joined.at(-1);
		if (item.kind !== "thought" || last?.kind !== "thought") joined.push(item);
		else joined.splice(-1, 1, { ...last, text: `${last.text}\n\n${item.text}`, to: item.to });
	}
	return joined;
}

/** True if both contain the identical items in the same groups. */
export function isSamePart(a: TurnPart, b: TurnPart): boolean {
	return a === b || (a.length === b.length && a.every((group, index) => isSameGroup(group, b[index] ?? [])));
}

function isSameGroup(a: TurnGroup, b: TurnGroup): boolean {
	return a.length === b.length && a.every((item, index) => item === b[index]);
}
