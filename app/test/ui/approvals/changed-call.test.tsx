import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { TurnItems } from "../../../src/ui/conversation/turn-items.tsx";
import { emptyTurn, foldEvents } from "../../../src/ui/turn/turn-view.ts";
import { InApp } from "../in-app.tsx";
import { approval, update } from "../stories.ts";

afterEach(cleanup);

const preview = (input: object) => ({ text: JSON.stringify(input), truncated: false });
const input = preview({ command: "rm -rf build" });
const locations = [{ path: "/work/build" }];
const expiresAt = new Date(Date.now() + 900_000).toISOString();
const call = (n: number, more: object = {}) =>
	update(n, { kind: "tool_call", toolCallId: "c1", title: "rm -rf build", toolKind: "execute", state: "pending", input, ...more });
const request = (n: number, more: object = {}) =>
	update(n, { kind: "approval", ...approval({ toolCallId: "c1" as never, expiresAt, input }), ...more });

/** The request's card, after these updates of a call that was asked about. `first`: more about the call, from before the request. */
function card(first: object, ...later: readonly ReturnType<typeof call>[]): HTMLElement {
	const view = foldEvents(
		emptyTurn,
		[call(1, first), request(2), ...later].map((update) => ({ type: "update", update })),
	);
	const { container } = render(<TurnItems view={view} live open="live" folded={false} provider="Codex" />, {
		wrapper: new InApp().wrapper,
	});
	const card = container.querySelector<HTMLElement>("[data-approval], .decided");
	if (card === null) throw new Error("no card");
	return card;
}

const warning = "The agent has changed this call since it asked. The request shows the original call. The agent now reports:";

it.each([
	["title", { title: "Delete everything", input: preview({}) }, "Delete everything"],
	["command", { title: "rm -rf ~", input: preview({ command: "rm -rf ~" }) }, "rm -rf ~"],
	["input", { input: preview({ command: "rm -rf build", cwd: "/etc" }) }, "/etc"],
	["change", { diff: [{ path: "/work/a.txt", newText: "EVIL", truncated: false }] }, "EVIL"],
])("a request says above its answers that its agent has changed the call since, and to what: another %s", (_, more, now) => {
	const shown = card({ locations }, call(3, more));
	const said = screen.getByRole("alert");
	expect(said.textContent).toContain(warning);
	expect(said.textContent).toContain(now);
	expect(shown.contains(said)).toBe(true);
	expect(said.nextElementSibling).toBe(shown.querySelector("footer"));
});

it("a request says so, too, if the call was changed while the request was being recorded", () => {
	const asker = { target: "agent", providerId: "codex" } as never;
	const view = foldEvents(
		emptyTurn,
		[call(1, { title: "rm -rf ~", input: preview({ command: "rm -rf ~" }) }), request(2, { asker })].map((update) => ({
			type: "update",
			update,
		})),
	);
	render(<TurnItems view={view} live open="live" folded={false} provider="Codex" />, { wrapper: new InApp().wrapper });
	expect(screen.getByRole("alert").textContent).toContain(`${warning}rm -rf ~`);
});

it("a request whose call is only reported again, begins or has been answered doesn't say that it was changed", () => {
	for (const more of [{}, { state: "running" }, { locations: [...locations, { path: "other" }] }]) {
		card({ locations }, call(3, more));
		expect(screen.queryByRole("alert")).toBeNull();
		cleanup();
	}
	const decided = { state: "decided", decision: "allow_once", decidedBy: "person", decidedAt: expiresAt };
	card({ locations }, call(3, { locations: [{ path: "/etc/passwd" }] }), request(4, decided));
	expect(screen.queryByRole("alert")).toBeNull();
});
