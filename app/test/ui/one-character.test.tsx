import { cleanup, render, screen } from "@testing-library/react";
import { PlanUpdate } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import type { ReadDraft } from "../../src/ui/new-plan/draft-answers.ts";
import { DraftCard } from "../../src/ui/new-plan/draft-card.tsx";
import { OccurrenceView } from "../../src/ui/plan/occurrence-view.tsx";
import { logOfUpdates } from "../../src/ui/plan-log/log-of-updates.ts";
import { MessageEditor } from "../../src/ui/review/message-editor.tsx";
import { MessageText } from "../../src/ui/rich-text/message-text.tsx";
import { fakeApp } from "./fake-app.ts";
import { InApp } from "./in-app.tsx";
import { AT, occurrence, plan } from "./plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** One character for the user, though two UTF-16 units. */
const THUMB = "👍";
const deliverable = { text: THUMB, sha256: "a".repeat(64), source: "content" as const };
const none = () => undefined;

function draftOf(contents: readonly string[]) {
	const channels = ["whatsapp", "discord"] as const;
	const draft: ReadDraft = {
		...{ title: "Thumb", instructions: "", work: [], type: "immediate", timezone: "UTC", scheduleWords: "now", said: { channels: [] } },
		delivery: contents.map((content, index) => ({ channel: channels[index] ?? "email", content })),
	};
	return (
		<DraftCard
			{...{ draft, problems: [], answers: {}, left: 0, channels: [], contacts: [], routing: undefined }}
			{...{ isMaking: false, refusal: undefined, createTitle: "", answer: none, create: none, openForm: none }}
		/>
	);
}

it("a message of one character is not counted in the plural: a draft, for each of its texts", () => {
	fakeApp({});
	const { rerender } = render(draftOf([THUMB]), { wrapper: new InApp().wrapper });
	expect(screen.getByText("word for word from your sentence, 1 character")).toBeTruthy();
	rerender(draftOf([THUMB, "Hi"]));
	expect(screen.getByText("WhatsApp: word for word from your sentence, 1 character")).toBeTruthy();
	expect(screen.getByText("Discord: word for word from your sentence, 2 characters")).toBeTruthy();
});

it("a message of one character is not counted in the plural: the log of updates", () => {
	const update = { kind: "task:result", occurrence: occurrence({ status: "completed", deliverable, delivery: [] }), output: "", work: [] };
	const said = logOfUpdates([PlanUpdate.parse({ planId: "p1", seq: 1, feedSeq: 1, at: AT, status: "completed", update })]);
	expect(said.find(({ title }) => title === "Message found")?.say).toBe("1 character");
});

it("a message of one character is not counted in the plural: an occurrence", () => {
	fakeApp({});
	const { container } = render(<OccurrenceView plan={plan()} occurrence={occurrence({ deliverable })} nameOf={() => "Anna"} />, {
		wrapper: new InApp().wrapper,
	});
	expect(container.querySelector(".msg .num")?.textContent).toBe("1 character");
});

it("a message of one character is not counted in the plural: its editor, after the first key", () => {
	render(<MessageEditor text={THUMB} setText={none} />);
	expect(screen.getByText("1 character")).toBeTruthy();
});

it("a message of one character is not counted in the plural: the rest of a long answer", () => {
	const { rerender } = render(<MessageText text={"a".repeat(400_001)} live={false} />);
	expect(screen.getByRole("button", { name: "Show 1 more character" })).toBeTruthy();
	rerender(<MessageText text={"a".repeat(401_234)} live={false} />);
	expect(screen.getByRole("button", { name: "Show 1,234 more characters" })).toBeTruthy();
});
