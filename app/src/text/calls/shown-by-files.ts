import type { ToolCall } from "@xworkmate/contracts";

/**
 * True for a reported edit, deletion or move that the files confirm. If an edited file was missing at first, finding it later is enough.
 */
export function isShownByFiles({
	toolKind,
	notFound,
	untouched,
	stillThere,
}: Pick<ToolCall, "toolKind" | "notFound" | "untouched" | "stillThere">): boolean {
	if (toolKind === "delete" || toolKind === "move") return stillThere === false;
	return toolKind === "edit" && (untouched === false || notFound === false);
}
