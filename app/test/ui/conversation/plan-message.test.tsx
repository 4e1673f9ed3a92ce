import { cleanup, render, screen, within } from "@testing-library/react";
import { Grounding } from "@xworkmate/contracts";
import { deliverablePieces } from "@xworkmate/contracts/deliverable-tags";
import { afterEach, describe, expect, it } from "vitest";
import { IsUnfinished, PlanOfTurn } from "../../../src/ui/conversation/answer-text.tsx";
import { TurnItems } from "../../../src/ui/conversation/turn-items.tsx";
import { markdown } from "../../../src/ui/rich-text/message-text.tsx";
import type { CheckedAnswer } from "../../../src/ui/turn/checked-answer.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { InApp } from "../in-app.tsx";
import { foldUpdates, update } from "../stories.ts";

afterEach(cleanup);

const ANSWER = "I looked at twelve beaches.\n\n<deliverable>\n**Sanur** is calm. I've booked it.\n</deliverable>\n";

async function show(text: string, { planId, folded = true, checked }: { planId?: string; folded?: boolean; checked?: CheckedAnswer }) {
	await markdown.preload();
	const view = foldUpdates(emptyTurn, [update(1, { kind: "message_delta", messageId: "m", text })]);
	const items = <TurnItems view={view} live={!folded} open="unknown" folded={folded} provider="Goose" {...(checked && { checked })} />;
	const { container } = render(<PlanOfTurn value={planId}>{items}</PlanOfTurn>, { wrapper: new InApp().wrapper });
	return container;
}

describe("an agent's answer in a plan's thread", () => {
	it.each([true, false])("shows its message as one, without tags, with a way to the plan (folded: %s)", async (folded) => {
		const container = await show(ANSWER, { planId: "plan-1", folded });
		const message = screen.getByRole("figure", { name: "What the agent wrote for the plan’s message" });
		expect(message.textContent).toContain("Sanur is calm.");
		expect(message.textContent).not.toContain("twelve beaches");
		expect(within(message).getByRole("link", { name: "Open the plan" }).getAttribute("href")).toBe("#/plans/plan-1");
		expect(container.textContent).toContain("I looked at twelve beaches.");
		expect(container.textContent).not.toContain("deliverable");
	});

	it("is called a draft if its run did not succeed, because nothing is sent of such a run", async () => {
		await markdown.preload();
		const view = foldUpdates(emptyTurn, [update(1, { kind: "message_delta", messageId: "m", text: ANSWER })]);
		render(
			<PlanOfTurn value="plan-1">
				<IsUnfinished value={true}>
					<TurnItems view={view} live={false} open="unknown" folded={false} provider="Goose" />
				</IsUnfinished>
			</PlanOfTurn>,
			{ wrapper: new InApp().wrapper },
		);
		expect(screen.getByRole("figure", { name: "Draft of the plan’s message, from a run that didn’t succeed" })).toBeTruthy();
	});

	it("marks the sentences of the message that nothing backs", async () => {
		const claim = "I've booked it.";
		const start = ANSWER.indexOf(claim);
		const problems = [{ code: "CLAIM_WITHOUT_ACTION", start, end: start + claim.length }];
		const container = await show(ANSWER, { planId: "plan-1", checked: { grounding: Grounding.parse({ state: "unverified", problems }) } });
		for (const hidden of container.querySelectorAll(".vh")) hidden.remove();
		expect([...container.querySelectorAll("figure mark")].map(({ textContent }) => textContent)).toEqual([claim]);
	});

	it("leaves tags alone that are no plan's", async () => {
		expect((await show(ANSWER, {})).textContent).toContain("<deliverable>");
		expect(screen.queryByRole("figure")).toBeNull();
	});

	it.each([
		["Work\n<deliverable>\nOne", ["work Work", "message One"]],
		["<deliverable>One</deliverable>\nMore\n<deliverable>\nTwo\n</deliverable>", ["message One", "work More", "message Two"]],
		["```\n<deliverable>\n```\nThe `<deliverable>` tag", ["work ```\n<deliverable>\n```\nThe `<deliverable>` tag"]],
		["Work\n</deliverable>\nRest", ["work Work", "work Rest"]],
		["<deliverable>\n</deliverable>", []],
		["", []],
	])("is %j in its parts", (text, parts) => {
		expect(deliverablePieces(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)).toEqual(parts);
	});
});
