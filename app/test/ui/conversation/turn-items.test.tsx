import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { TurnItems } from "../../../src/ui/conversation/turn-items.tsx";
import { emptyTurn, type TurnItem } from "../../../src/ui/turn/turn-view.ts";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";

afterEach(cleanup);

let reads: string[] = [];

/** A call that records when its row is rendered. */
function call(n: number, state: "completed" | "running"): TurnItem {
	const title = `look at file ${n}`;
	const seen = { toolCallId: `${n}`, toolKind: "read" as const, state };
	const of = Object.defineProperty({ ...seen, title }, "title", {
		enumerable: true,
		get: () => {
			reads.push(title);
			return title;
		},
	});
	return { kind: "tool", key: `c:${n}`, call: of, from: at(0), to: at(1) };
}

const rest = { folded: false, provider: "Codex", read: () => undefined };

it("renders the end of a long run without its finished steps: only a call without an end is shown another way", async () => {
	const items = [...Array.from({ length: 700 }, (_, n) => call(n, "completed")), call(700, "running")];
	const here = new InApp();
	const view = { ...emptyTurn, items };
	const { rerender } = render(<TurnItems view={view} live open="live" {...rest} />, { wrapper: here.wrapper });
	await expect.poll(() => document.querySelectorAll("details").length, { timeout: 9_000 }).toBe(701);
	expect(screen.getByText("running")).toBeTruthy();
	reads = [];
	rerender(<TurnItems view={{ ...view }} live={false} open="unknown" {...rest} />);
	expect(screen.getByText("no result")).toBeTruthy();
	expect(new Set(reads)).toEqual(new Set(["look at file 700"]));
});

it("renders a new step of a long run without the steps before it", async () => {
	const items = Array.from({ length: 700 }, (_, n) => call(n, "completed"));
	const here = new InApp();
	const { rerender } = render(<TurnItems view={{ ...emptyTurn, items }} live open="live" {...rest} />, { wrapper: here.wrapper });
	await expect.poll(() => document.querySelectorAll("details").length, { timeout: 9_000 }).toBe(700);
	reads = [];
	rerender(<TurnItems view={{ ...emptyTurn, items: [...items, call(700, "running")] }} live open="live" {...rest} />);
	expect(new Set(reads)).toEqual(new Set(["look at file 700"]));
});
