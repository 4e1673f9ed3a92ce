import type { TurnItem } from "./turn-view.ts";

/** Items that are shown together: one message, or adjacent thoughts and tools. */
type TurnGroup = readonly TurnItem[];
/** Several groups, so that a page does not have to render unchanged ones. Never empty. */
export type TurnPart = readonly TurnGroup[];

const GROUP_ITEMS = 40;
const PART_GROUPS = 20;

/** Splits a turn's items into groups and parts. New items change only the last part, unless an earlier item itself changed. */
export function partsOf(items: readonly TurnItem[]): readonly TurnPart[] {
	const groups = groupsOf(items);
	const parts: TurnPart[] = [];
	for (let from = 0; from < groups.length; from += PART_GROUPS) parts.push(groups.slice(from, from + PART_GROUPS));
	return parts;
}

function groupsOf(items: readonly TurnItem[]): readonly TurnGroup[] {
	const groups: TurnItem[][] = [];
	const isQuiet = (item: TurnItem | undefined) => item?.kind === "thought" || item?.kind === "tool";
	for (const item of items) {
		const last = groups.at(-1);
		if (last !== undefined && last.length < GROUP_ITEMS && isQuiet(item) && isQuiet(last[0])) last.push(item);
		else groups.push([item]);
	}
	return groups;
}

/** True when both contain the identical items in the same groups. */
export function isSamePart(a: TurnPart, b: TurnPart): boolean {
	return a.length === b.length && a.every((group, index) => isSameGroup(group, b[index] ?? []));
}

function isSameGroup(a: TurnGroup, b: TurnGroup): boolean {
	return a.length === b.length && a.every((item, index) => item === b[index]);
}
