import { cleanup, fireEvent, render } from "@testing-library/react";
import { type ToolCall, ToolCallId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { ToolRow } from "../../../src/ui/run/tool-call-row.tsx";
import { InApp } from "../in-app.tsx";

afterEach(cleanup);

/** The opened row of a call that edits `a.txt`. */
function row(path: string, truncated = false): HTMLElement {
	const call: ToolCall = {
		toolCallId: ToolCallId.parse("1"),
		title: "Edit a.txt",
		toolKind: "edit",
		state: "completed",
		diff: [{ path, oldText: "b", newText: "EVIL", truncated }],
	};
	const at = "2026-01-02T03:04:05.006Z";
	const item = { kind: "tool", key: "1", from: at, to: at, call } as const;
	const { container } = render(<ToolRow item={item} open="unknown" />, { wrapper: new InApp().wrapper });
	const details = container.querySelector("details");
	if (details === null) throw new Error("no row");
	details.open = true;
	fireEvent(details, new Event("toggle"));
	return details;
}

/** The names of files, and the changes, in the row. */
function opened(path: string): readonly (string | null)[] {
	const shown = [...row(path).querySelectorAll(".tool-body code, .tool-body section")];
	return shown.map((one) => one.getAttribute("aria-label") ?? one.textContent);
}

it("a change of a file that a step doesn't name is shown with its file; that of the named one needs no second name", () => {
	expect(opened("b.txt")).toEqual(["b.txt", "Changes to b.txt"]);
	cleanup();
	expect(opened("a.txt")).toEqual(["Changes to a.txt"]);
});

it("a change of which a part was left out says so, and its counts are the least that it changed", () => {
	const cut = row("a.txt", true);
	expect(cut.querySelector("summary")?.textContent).toContain("at least +1 −1 as reported");
	expect(cut.textContent).toContain("Truncated here");
	cleanup();
	expect(row("a.txt").textContent).not.toMatch(/at least|Truncated/);
});
