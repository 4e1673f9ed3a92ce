import { cleanup, fireEvent, render } from "@testing-library/react";
import { type ToolCall, ToolCallId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { ToolRow } from "../../../src/ui/run/tool-call-row.tsx";
import { InApp } from "../in-app.tsx";

afterEach(cleanup);

/** The names of files, and the changes, in the opened row of a call that edits `a.txt`. */
function opened(path: string): readonly (string | null)[] {
	const call: ToolCall = {
		toolCallId: ToolCallId.parse("1"),
		title: "Edit a.txt",
		toolKind: "edit",
		state: "completed",
		diff: [{ path, oldText: "b", newText: "EVIL", truncated: false }],
	};
	const at = "2026-01-02T03:04:05.006Z";
	const item = { kind: "tool", key: "1", from: at, to: at, call } as const;
	const { container } = render(<ToolRow item={item} open="unknown" />, { wrapper: new InApp().wrapper });
	const row = container.querySelector("details");
	if (row === null) throw new Error("no row");
	row.open = true;
	fireEvent(row, new Event("toggle"));
	const shown = [...container.querySelectorAll(".tool-body code, .tool-body section")];
	return shown.map((one) => one.getAttribute("aria-label") ?? one.textContent);
}

it("a change of a file that a step doesn't name is shown with its file; that of the named one needs no second name", () => {
	expect(opened("b.txt")).toEqual(["b.txt", "Changes to b.txt"]);
	cleanup();
	expect(opened("a.txt")).toEqual(["Changes to a.txt"]);
});
