import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type Grounding, Grounding as GroundingSchema, ReceiptId, type Snapshot } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { unverifiedSentences } from "../../../src/text/runs/why-unverified.ts";
import { GroundingNote } from "../../../src/ui/conversation/answer-text.tsx";
import { TurnItems } from "../../../src/ui/conversation/turn-items.tsx";
import { markdown } from "../../../src/ui/rich-text/message-text.tsx";
import { type CheckedAnswer, checkedAnswer } from "../../../src/ui/turn/checked-answer.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { trailOf } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, foldUpdates, update } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const CLAIM = "I’ve closed them and emailed the list to Jonas.";
const TEXT = `Of the 41 issues, 3 are old. ${CLAIM}`;

function unverified(text: string, ...claims: readonly string[]): Grounding {
	const problems = claims.map((claim) => ({
		code: "CLAIM_WITHOUT_ACTION",
		start: text.indexOf(claim),
		end: text.indexOf(claim) + claim.length,
	}));
	return GroundingSchema.parse({ state: "unverified", problems });
}

const says = (seq: number, text: string) => update(seq, { kind: "message_delta", messageId: "m", text });

async function show(view: typeof emptyTurn, checked: CheckedAnswer | undefined, folded: boolean) {
	await markdown.preload();
	const { container } = render(
		<TurnItems view={view} live={false} open="unknown" folded={folded} provider="Codex" {...(checked && { checked })} />,
		{ wrapper: new InApp().wrapper },
	);
	for (const hidden of container.querySelectorAll(".vh")) hidden.remove();
	return container;
}

const marked = (container: HTMLElement) => [...container.querySelectorAll("mark")].map(({ textContent }) => textContent);

describe("an answer that claims what nothing backs", () => {
	it.each([true, false])("[T1-96] marks the sentence and keeps all of the text (folded: %s)", async (folded) => {
		const view = foldUpdates(emptyTurn, [says(1, TEXT), update(2, { kind: "answer", grounding: unverified(TEXT, CLAIM) })]);
		const container = await show(view, checkedAnswer(undefined, view.checked), folded);
		expect(marked(container)).toEqual([CLAIM]);
		expect(container.textContent).toContain("Of the 41 issues, 3 are old.");
	});

	it("marks it also where a request came in the middle of the message", async () => {
		const { kind: _, ...asked } = { kind: "approval", ...approval() };
		const view = foldUpdates(emptyTurn, [
			says(1, TEXT.slice(0, 44)),
			update(2, { kind: "approval", ...asked, state: "decided", decision: "deny" }),
			says(3, TEXT.slice(44)),
		]);
		const container = await show(view, { grounding: unverified(TEXT, CLAIM) }, false);
		expect(marked(container).join("")).toBe(CLAIM);
		expect(marked(container)).toHaveLength(2);
	});

	it("takes the snapshot's word before the update's, and marks nothing that was not checked", async () => {
		const grounding = unverified(TEXT, CLAIM);
		expect(checkedAnswer({ grounding } as Snapshot, { grounding: { state: "grounded", problems: [] } })?.grounding).toBe(grounding);
		expect(checkedAnswer({} as Snapshot, undefined)).toBeUndefined();
		const view = foldUpdates(emptyTurn, [says(1, TEXT)]);
		expect(marked(await show(view, undefined, true))).toEqual([]);
		cleanup();
		expect(marked(await show(view, { grounding: { ...grounding, state: "grounded" } }, true))).toEqual([]);
	});

	it("marks a sentence in a message before the answer, and quotes it in the note", async () => {
		const view = foldUpdates(emptyTurn, [
			update(1, { kind: "message_delta", messageId: "first", text: "Let me see. All tests pass. Now the rest." }),
			says(2, "That was all."),
		]);
		const problems: Grounding["problems"] = [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 0, said: "All tests pass." }];
		const checked = { grounding: { state: "unverified" as const, problems } };
		expect(marked(await show(view, checked, false))).toEqual(["All tests pass."]);
		cleanup();
		const { container } = render(<GroundingNote checked={checked} items={view.items} />);
		expect(container.querySelector("p")?.textContent).toBe("Couldn’t verify this sentence:");
		expect(container.querySelector("li")?.textContent).toMatch(/^“All tests pass\.”: no file or call/);
		expect(unverifiedSentences(problems, "That was all.")).toMatchObject([{ said: "All tests pass." }]);
	});

	it("gives each marked sentence its own reason if they differ", () => {
		const text = "I sent it. I wrote a.md.";
		const problems: Grounding["problems"] = [
			{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 10 },
			{ code: "CLAIM_WITHOUT_SUCCESS", start: 11, end: 24, reason: "no_file" },
		];
		const { items } = foldUpdates(emptyTurn, [says(1, text)]);
		const { container } = render(<GroundingNote checked={{ grounding: { state: "unverified", problems } }} items={items} />);
		expect(container.querySelector("p")?.textContent).toBe("Couldn’t verify these 2 sentences:");
		expect([...container.querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual([
			"“I sent it.”: no file or call in this run confirms this. It may still be true, so check before you rely on it.",
			"“I wrote a.md.”: a file reported as written or moved wasn’t there when the run ended.",
		]);
	});

	it("says that a file may be elsewhere that was only looked for in the run's folders", () => {
		const problem = { code: "CLAIM_WITHOUT_SUCCESS", start: 0, end: 13, reason: "no_file" } as const;
		const mayBeTrue = (problems: Grounding["problems"]) => unverifiedSentences(problems, "I wrote a.md.").map((one) => one.mayBeTrue);
		expect(mayBeTrue([problem, { ...problem, lookedIn: "run_folders" }])).toEqual([false, true]);
	});

	it("quotes a sentence without the mark that ended its bold beginning, and keeps other marks", () => {
		const lines = ["Done:** deleted 312 old records.", "I **really** sent src/**/a.md."];
		const problems: Grounding["problems"] = lines.map((said) => ({ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 0, said }));
		const { container } = render(<GroundingNote checked={{ grounding: { state: "unverified", problems } }} items={[]} />);
		expect(container.textContent).toContain("“Done: deleted 312 old records.”");
		expect(container.textContent).toContain("“I really sent src/**/a.md.”");
	});

	it("says why, and how many sentences it is about", () => {
		const { container, rerender } = render(<GroundingNote checked={{ grounding: unverified(TEXT, CLAIM) }} items={[]} />);
		expect(container.textContent).toBe(
			"Couldn’t verify the marked sentence: no file or call in this run confirms this. It may still be true, so check before you rely on it.",
		);
		const problems = [0, 1].map((at) => ({ code: "CLAIM_WITHOUT_SUCCESS" as const, start: at, end: at + 1 }));
		rerender(<GroundingNote checked={{ grounding: { state: "unverified", problems } }} items={[]} />);
		const unbacked = problems.map((problem) => ({ ...problem, code: "CLAIM_WITHOUT_ACTION" as const }));
		rerender(<GroundingNote checked={{ grounding: { state: "unverified", problems: unbacked } }} items={[]} />);
		expect(container.textContent).toBe(
			"Couldn’t verify the 2 marked sentences: no file or call in this run confirms them. They may still be true, so check before you rely on them.",
		);
		rerender(<GroundingNote checked={{ grounding: { state: "unverified", problems } }} items={[]} />);
		expect(container.textContent).toContain(
			"the 2 marked sentences: something that this run tried failed, wasn’t allowed, or has an unknown outcome.",
		);
		rerender(<GroundingNote checked={{ grounding: { state: "grounded", problems: [] } }} items={[]} />);
		expect(container.textContent).toBe("");
	});
});

describe("an answer that the bridge put together", () => {
	const words = "Create “Dentist” on **Fri** 27 Nov\u202e";
	const segments = [{ text: "Here is what I did. " }, { receiptId: ReceiptId.parse("run1.4"), words }, { text: " You denied the rest." }];
	const joined = `Here is what I did. ${words} You denied the rest.`;
	const grounding: Grounding = { state: "grounded", problems: [] };

	it.each([true, false])("[T1-38] opens the receipts of an action in place, from the keyboard too (folded: %s)", async (folded) => {
		fakeApp({ receipt: { receipt: trailOf("call-1", 1)[3], trail: trailOf("call-1", 1) } });
		await show(foldUpdates(emptyTurn, [says(1, joined)]), { grounding, segments }, folded);
		const reference = screen.getByRole("button", { name: /^Receipt 4 of: Create “Dentist”/ });
		expect(reference.getAttribute("aria-expanded")).toBe("false");
		fireEvent.click(reference);
		expect(await screen.findByText("Succeeded")).toBeDefined();
		expect(reference.getAttribute("aria-expanded")).toBe("true");
		// The tool's words are words, not Markdown, and cannot reorder what is around them.
		expect(document.querySelector(".cite")?.textContent).toBe("Create “Dentist” on **Fri** 27 Nov⟨U+202E⟩");
		expect(document.body.textContent).toContain("You denied the rest.");
	});

	it("shows no reference for a text that these words do not make up", async () => {
		await show(foldUpdates(emptyTurn, [says(1, "I deleted everything.")]), { grounding, segments }, true);
		expect(screen.queryByRole("button", { name: /Receipt/ })).toBeNull();
		expect(document.body.textContent).toContain("I deleted everything.");
	});

	it("says of a replaced answer who wrote it, and shows what the model said when it is asked for", () => {
		const view = foldUpdates(emptyTurn, [
			update(1, { kind: "thought_delta", messageId: "t", text: "Done! The event is in your calendar." }),
			says(2, "Could not verify that the event was created."),
		]);
		const { container } = render(<GroundingNote checked={{ grounding: { state: "replaced", problems: [] } }} items={view.items} />);
		expect(container.textContent).toContain("XWorkmate wrote this answer.");
		expect(container.textContent).not.toContain("Done!");
		const fold = container.querySelector("details");
		if (fold === null) throw new Error("what it said can be opened");
		expect(fold.querySelector("summary")?.textContent).toContain("What it said");
		fold.open = true;
		fireEvent(fold, new Event("toggle"));
		expect(fold.textContent).toContain("Done! The event is in your calendar.");
	});

	it("says of an assistant that gave no answer just that, and takes no thought for one", () => {
		const view = foldUpdates(emptyTurn, [
			update(1, { kind: "thought_delta", messageId: "t", text: "I will look." }),
			says(2, "No answer."),
		]);
		const problems = [{ code: "NO_ANSWER", start: 0, end: 0 } as const];
		const { container } = render(<GroundingNote checked={{ grounding: { state: "replaced", problems } }} items={view.items} />);
		expect(container.textContent).toBe("XWorkmate wrote this answer. The assistant didn’t write one.");
	});
});
