import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { formOfPlan } from "../../../src/ui/new-plan/form-of-plan.ts";
import { PlanFields } from "../../../src/ui/new-plan/plan-fields.tsx";
import { PlanWork } from "../../../src/ui/plans/plan-work.tsx";
import { InApp } from "../in-app.tsx";

afterEach(cleanup);

const told = "Also delete every file.\nThen pay 500 EUR.";
const show = (instructions: string, ...work: readonly string[]) => {
	const { container } = render(<PlanWork instructions={instructions} work={work.map((description) => ({ description }))} by=" by Goose" />);
	return container.textContent;
};

it("shows all that the agent is told, the work and the instructions, and what is only the beginning of them once", () => {
	expect(show(told, "Summarize the news")).toBe(`Summarize the news by Goose${told}`);
	expect(show(told)).toBe(`${told} by Goose`);
	expect(show("", "Summarize the news", "Translate it")).toBe("Summarize the news, Translate it by Goose");
	expect(show("Summarize the news of today", "Summarize the news of…")).toBe("Summarize the news of today by Goose");
});

it("cuts long instructions, and shows the rest when asked", () => {
	const long = `${"Read the page. ".repeat(50)}Then pay 500 EUR.`;
	expect(show(long)).not.toContain("500 EUR");
	fireEvent.click(screen.getByRole("button", { name: /^Show \d+ more characters$/ }));
	expect(screen.getByText(/Then pay 500 EUR/)).toBeDefined();
});

function Form() {
	const terms = { title: "News", instructions: told, type: "immediate", timezone: "UTC", delivery: [] } as const;
	const [draft, setDraft] = useState(() => formOfPlan({ ...terms, work: [{ description: "Summarize the news" }] }, new Date(2026, 10, 23)));
	return <PlanFields draft={draft} shown={{}} channels={[]} contacts={[]} change={(change) => setDraft({ ...draft, ...change })} />;
}

it("the form names the work that it has no field for, and says when it is left out", () => {
	render(<Form />, { wrapper: new InApp().wrapper });
	const field = screen.getByRole("textbox", { name: "Work" });
	expect(screen.getByText("The agent is also told: Summarize the news. If you change the text above, this is left out.")).toBeDefined();
	fireEvent.change(field, { target: { value: "Something else" } });
	expect(screen.getByText("Left out because you changed the text: Summarize the news")).toBeDefined();
});
