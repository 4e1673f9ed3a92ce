import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { emptyDraft, missingOf, movedTimeOf, type PlanDraft, scheduleOf } from "../../../src/ui/new-plan/plan-draft.ts";
import { WhenFields } from "../../../src/ui/new-plan/when-fields.tsx";

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

it("means the first moment after a clock change by a time that the change skips, as the command does, and says so", () => {
	const options = new Intl.DateTimeFormat().resolvedOptions();
	const inBerlin = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ ...options, timeZone: "Europe/Berlin" });
	const draft = { ...emptyDraft(new Date(2099, 2, 1), undefined), when: "once" as const, date: "2099-03-29", time: "02:30" };
	expect(scheduleOf(draft)).toEqual({ type: "scheduled", timezone: "Europe/Berlin", scheduledFor: "2099-03-29T01:00:00.000Z" });
	const note = "There is no 02:30 that day in Europe/Berlin: clocks go from 02:00 to 03:00, so the plan is due at 03:00.";
	expect([movedTimeOf(draft), movedTimeOf({ ...draft, time: "03:00" }), movedTimeOf({ ...draft, when: "now" })]).toEqual([
		note,
		undefined,
		undefined,
	]);
	inBerlin.mockRestore();
});
