import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { emptyDraft, missingOf, type PlanDraft, scheduleOf } from "../../../src/ui/plans/plan-draft.ts";
import { WhenFields } from "../../../src/ui/plans/when-fields.tsx";

afterEach(cleanup);

function Fields({ first }: { readonly first: PlanDraft }) {
	const [draft, setDraft] = useState(first);
	const { date } = missingOf(draft);
	return (
		<>
			<WhenFields draft={draft} change={(change) => setDraft({ ...draft, ...change })} describedBy={date && "said"} />
			<output>{date ?? scheduleOf(draft).cron}</output>
		</>
	);
}

function open(time: string) {
	render(<Fields first={{ ...emptyDraft(new Date(2026, 10, 23), undefined), every: "hour", time }} />);
	const minute = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Minute" });
	const type = (value: string) => fireEvent.change(minute(), { target: { value } });
	return { minute, type, said: () => screen.getByRole("status").textContent };
}

it("asks for a minute, not for a time, of a plan that is due every hour, and keeps the hour for the other choices", () => {
	const { minute, type, said } = open("09:30");
	expect([minute().value, screen.queryByLabelText("Time")]).toEqual(["30", null]);
	type("5");
	expect([minute().value, said()]).toEqual(["5", "5 * * * *"]);
	fireEvent.change(screen.getByRole("combobox", { name: "How often" }), { target: { value: "day" } });
	expect(screen.getByLabelText<HTMLInputElement>("Time").value).toBe("09:05");
	expect(said()).toBe("5 9 * * *");
});

it.each(["", "60", "-1", "1.5"])("says what a minute can be instead of taking another number: %j", (value) => {
	const { minute, type, said } = open("00:09");
	expect([minute().value, said()]).toEqual(["9", "9 * * * *"]);
	type(value);
	expect(said()).toBe("Enter a minute from 0 to 59.");
	expect([minute().getAttribute("aria-invalid"), minute().value]).toEqual(["true", value]);
	type("0");
	expect([minute().getAttribute("aria-invalid"), said()]).toEqual(["false", "0 * * * *"]);
});
