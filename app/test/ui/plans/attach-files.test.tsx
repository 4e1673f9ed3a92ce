import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Channel, RequestId } from "@xworkmate/contracts";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { emptyDraft, newPlanOf, type PlanDraft } from "../../../src/ui/new-plan/plan-draft.ts";
import { SendToFields } from "../../../src/ui/new-plan/send-to-fields.tsx";
import { InApp } from "../in-app.tsx";

afterEach(cleanup);

const channels = (["email", "whatsapp", "discord", "dashboard"] as const).map((id) =>
	Channel.parse({ channel: id, ready: true, settings: {}, secrets: [] }),
);

function Fields({ shown }: { shown(draft: PlanDraft): void }) {
	const empty = emptyDraft(new Date(2026, 10, 23), undefined);
	const [draft, setDraft] = useState<PlanDraft>({
		...empty,
		instructions: "Write a report",
		to: empty.to.map((to) => ({ ...to, channel: "email" })),
	});
	shown(draft);
	return <SendToFields {...{ draft, channels }} contacts={[]} change={(change) => setDraft({ ...draft, ...change })} />;
}

it("shows and changes that files are attached wherever a message can have some, and attaches none in the inbox", () => {
	let draft: PlanDraft | undefined;
	const show = (now: PlanDraft) => {
		draft = now;
	};
	render(<Fields shown={show} />, { wrapper: new InApp().wrapper });
	const isAttached = () => draft && newPlanOf(draft, RequestId.parse("r1")).delivery[0]?.attach;
	const choose = (value: string) => fireEvent.change(screen.getByRole("combobox", { name: "Channel" }), { target: { value } });
	const tick = () => screen.queryByRole<HTMLInputElement>("checkbox", { name: "Attach the run’s files" });
	fireEvent.click(tick() as HTMLInputElement);
	for (const id of ["whatsapp", "discord", "email"]) {
		choose(id);
		expect([id, tick()?.checked, isAttached()]).toEqual([id, true, true]);
	}
	choose("dashboard");
	expect([tick(), isAttached()]).toEqual([null, undefined]);
	choose("discord");
	fireEvent.click(tick() as HTMLInputElement);
	expect(isAttached()).toBeUndefined();
});
