import type { LintFinding, LintRule } from "@xworkmate/contracts";
import { findingAt, first, type LintCheck } from "./lint-check.ts";
import { lineStarts, parsedMarkdown } from "./parsed-markdown.ts";

/** Markdown blocks that a plain-text channel would show as raw markup. */
const rules: ReadonlyMap<string, LintRule> = new Map([
	["heading_open", "heading"],
	["fence", "code_fence"],
	["bullet_list_open", "bullet"],
	["table_open", "table"],
]);

/** Finds headings, fenced code blocks, bulleted lists and tables. For channels that show Markdown as it is typed. */
export const plainText: LintCheck = (text) => {
	const starts = lineStarts(text);
	const found = new Map<LintRule, LintFinding[]>();
	for (const { type, map } of parsedMarkdown(text)) {
		const rule = rules.get(type);
		const at = starts[map?.[0] ?? 0];
		if (rule !== undefined && at !== undefined) found.set(rule, first([...(found.get(rule) ?? []), findingAt(rule, text, at)]));
	}
	return [...found.values()].flat();
};

/** Finds tables only. For channels that render other Markdown. */
export const tables: LintCheck = (text) => plainText(text).filter(({ rule }) => rule === "table");

/** Finds text that is too long for a channel. `limit`: in UTF-16 units. */
export function tooLong(limit: number): LintCheck {
	return (text) => (text.length > limit ? [findingAt("too_long", text, limit)] : []);
}
