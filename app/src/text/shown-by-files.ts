import type { ToolCall } from "@xworkmate/contracts";

/** True for an edit or a deletion that an agent reports as done and that its files show. Of a file that appeared, no more is known or needed. */
export function isShownByFiles({
	toolKind,
	notFound,
	untouched,
	stillThere,
}: Pick<ToolCall, "toolKind" | "notFound" | "untouched" | "stillThere">): boolean {
	if (toolKind === "delete") return stillThere === false;
	return toolKind === "edit" && (untouched === false || notFound === false);
}
