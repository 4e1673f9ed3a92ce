import type { Diff, Preview } from "@xworkmate/contracts";
import type { ToolCallChange } from "./agent-update.ts";

/** A text with fewer characters may occur in an input by chance. */
const TELLING = 16;

/** The changes whose file or new text an input does not show. */
export function unshownOf(diff: readonly Diff[], input: Preview | undefined): readonly Diff[] {
	return diff.filter((one) => !shows(input, one.path) || !showsResult(input, one));
}

/** The changes of a report as a reader sees them. If the report showed more of them, the last one is marked as truncated. */
export function markedDiff({ diff, lacksDiffs }: ToolCallChange): Diff[] | undefined {
	if (lacksDiffs !== true) return diff;
	return diff?.map((one, index, { length }) => (index === length - 1 ? { ...one, truncated: true } : one));
}

/** Whether an input contains a text, as it is or as a part of JSON. */
export function shows(input: Preview | undefined, text: string): boolean {
	return input !== undefined && (input.text.includes(JSON.stringify(text).slice(1, -1)) || input.text === text);
}

/**
 * Whether an input shows what a change results in. A short text must be the whole value of a field. If no text remains, a field may be
 * empty for another reason, so the input must show the text that is removed.
 */
function showsResult(input: Preview | undefined, { oldText = "", newText }: Diff): boolean {
	const { length } = newText.trim();
	if (length >= TELLING) return shows(input, newText);
	return hasValue(input, newText) && (length > 0 || shows(input, oldText));
}

/** Whether a text is an input, or is the value of one of its fields, however deeply nested. */
function hasValue(input: Preview | undefined, text: string): boolean {
	if (input === undefined || input.text === text) return input !== undefined;
	let isFound = false;
	try {
		JSON.parse(input.text, (_key, value: unknown) => {
			isFound ||= value === text;
			return value;
		});
	} catch {
		// The input is not JSON, is cut off, or is nested too deeply.
		return false;
	}
	return isFound;
}
