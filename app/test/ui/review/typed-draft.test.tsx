import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { errorCatalogue, type Occurrence } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
	untold.set([]);
});

const OTHER = "c".repeat(64);

/** The review of a message that changes while its page is open. Each text and each recipient has a preview of its own. */
function open(first: Occurrence, answers: object = {}) {
	const now = { occurrence: first, name: "Anna", hash: preview.payloadHash };
	const inApp = new InApp();
	const calls = fakeApp({
		plan: () => plan({ occurrence: now.occurrence }),
		planOccurrences: () => ({ items: [now.occurrence] }),
		contacts: () => ({ contacts: [{ ...contact, name: now.name }] }),
		channels: { channels: [] },
		previewMessage: ({ content }: { content?: string }) => {
			const text = content ?? `To ${now.name}: ${now.occurrence.deliverable?.text}`;
			return {
				...preview,
				payloadHash: content === undefined ? now.hash : OTHER,
				parts: [{ ...preview.parts[1], text }],
			};
		},
		...answers,
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	const page = render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: inApp.wrapper, container: frame });
	const changeTo = (next: Occurrence) =>
		act(() => {
			now.occurrence = next;
			const { count, of } = inApp.appLink.planNews.value;
			inApp.appLink.planNews.set({ count: count + 1, of: { ...of, p1: (of.p1 ?? 0) + 1 } });
		});
	const shown = () => page.container.querySelector("pre")?.textContent;
	return { now, calls, changeTo, shown };
}

async function typeDraft(name: "Edit" | "Write it yourself") {
	fireEvent.click(await screen.findByRole("button", { name }));
	fireEvent.change(await screen.findByRole("textbox", { name: "The message" }), { target: { value: "My own words." } });
	await screen.findByText("My own words.", { selector: "pre" });
}

it("moves the keyboard into the message to be edited, and back to its button once the edit is discarded", async () => {
	open(occurrence());
	const edit = await screen.findByRole("button", { name: "Edit" });
	edit.focus();
	fireEvent.click(edit);
	expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "The message" }));
	fireEvent.click(screen.getByRole("button", { name: "Discard edit" }));
	await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit" })));
});

it("shows what was sent, not the draft of another tab, which it keeps and no longer offers to send", async () => {
	const { changeTo, shown } = open(occurrence());
	await typeDraft("Edit");
	changeTo(
		occurrence({
			status: "completed",
			revision: 6,
			delivery: [action({ status: "completed", code: undefined, payloadHash: preview.payloadHash })],
		}),
	);
	await waitFor(() => expect(shown()).toBe("To Anna: Two of 31 open orders are **late**."));
	expect(screen.getByText("These are the exact bytes that were built for this message.")).toBeTruthy();
	expect(screen.getByText(/^Your edit wasn’t sent, because /)).toBeTruthy();
	expect(screen.queryByRole("button", { name: "Send this text" })).toBeNull();
	expect(screen.getByRole("textbox", { name: "The message" })).toHaveProperty("value", "My own words.");
	fireEvent.click(screen.getByRole("button", { name: "Discard edit" }));
	expect(screen.queryByRole("textbox", { name: "The message" })).toBeNull();
});

it("never calls a draft what was built, while the work is being done again", async () => {
	const without = { deliverable: undefined, gate: { valid: false, reason: "missing", words: "There is no message." } };
	const { changeTo, shown } = open(occurrence({ ...without, delivery: [action({ code: "GATE_MISSING" })] }));
	await typeDraft("Write it yourself");
	changeTo(occurrence({ ...without, status: "running", revision: 6, delivery: [action({ status: "pending", code: undefined })] }));
	await screen.findByText(/^Your edit wasn’t sent, because /);
	await waitFor(() => expect(shown()).toBeUndefined());
	expect(screen.queryByText(/exact bytes/)).toBeNull();
	expect(screen.queryByText(/The checks found no problems/)).toBeNull();
	expect(screen.queryByText(/Write it yourself, run the work again/)).toBeNull();
	expect(screen.getByText("This message has no text yet.")).toBeTruthy();
});

it("says of work that is run again that it will be done, because the decision is all that is known", async () => {
	open(occurrence(), { reviewMessage: { occurrence: occurrence(), applied: true } });
	fireEvent.click(await screen.findByRole("button", { name: "Run again" }));
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual(["The work will be done again."]));
});

it("says that a message without a text can be had by running the work again only if that is offered", async () => {
	const without = { deliverable: undefined, gate: { valid: false, reason: "missing", words: "There is no message." } };
	const held = action({ code: "GATE_MISSING" });
	const { changeTo } = open(occurrence({ ...without, delivery: [held] }));
	await screen.findByText("This message has no text. Write it yourself, run the work again, or discard the message.");
	expect(screen.getByRole("button", { name: "Run again" })).toBeTruthy();
	const other = action({ actionId: "p1-1-2", status: "pending", code: undefined, content: "Its own text." });
	changeTo(occurrence({ ...without, revision: 5, delivery: [held, other] }));
	await screen.findByText("This message has no text. Write it yourself, or discard the message.");
	expect(screen.queryByRole("button", { name: "Run again" })).toBeNull();
});

it.each(["Send", "Send this text"])("loads the new version, and keeps the edit, if the message changed before %s", async (press) => {
	const { now, calls, shown } = open(occurrence(), {
		reviewMessage: new Refused("PAYLOAD_CHANGED", "The message is no longer the one that was previewed."),
	});
	await waitFor(() => expect(shown()).toBe("To Anna: Two of 31 open orders are **late**."));
	if (press !== "Send") await typeDraft("Edit");
	Object.assign(now, { name: "Bob", hash: "d".repeat(64) });
	const before = calls.filter(({ method }) => method === "previewMessage").length;
	fireEvent.click(screen.getByRole("button", { name: press }));
	await waitFor(() => expect(document.querySelector(".ch")?.textContent).toBe("Emailto Bob"));
	await waitFor(() => expect(calls.filter(({ method }) => method === "previewMessage")).toHaveLength(before + 1));
	if (press === "Send") {
		await waitFor(() => expect(shown()).toBe("To Bob: Two of 31 open orders are **late**."));
		expect(screen.getByText("dddd ".repeat(16).trim())).toBeTruthy();
	} else expect(screen.getByRole("textbox", { name: "The message" })).toHaveProperty("value", "My own words.");
	const said = "The message changed since you previewed it. This is the new version. Check it before you send it.";
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual([said]));
});

/** Sends a message that has changed meanwhile. `answer` ends the second preview of it. */
async function sendChanged() {
	const rebuilt = Promise.withResolvers<unknown>();
	let previews = 0;
	const { calls, shown } = open(occurrence(), {
		reviewMessage: new Refused("PAYLOAD_CHANGED", "The message is no longer the one that was previewed."),
		previewMessage: () => {
			previews += 1;
			return previews > 1 ? rebuilt.promise : { ...preview, parts: [{ ...preview.parts[1], text: "The old one" }] };
		},
	});
	await waitFor(() => expect(shown()).toBe("The old one"));
	fireEvent.click(screen.getByRole("button", { name: "Send" }));
	await waitFor(() => expect(previews).toBe(2));
	const said = () => untold.value.map(({ text }) => text);
	return { calls, shown, said, answer: rebuilt.resolve };
}

it("says that the new version is shown once it is, and sends nothing until then", async () => {
	const { calls, shown, said, answer } = await sendChanged();
	expect([shown(), said()]).toEqual(["The old one", []]);
	fireEvent.click(screen.getByRole("button", { name: "Send" }));
	const seen: (string | null | undefined)[] = [];
	const forget = untold.subscribe(() => seen.push(shown()));
	answer({ ...preview, parts: [{ ...preview.parts[1], text: "The new one" }] });
	await waitFor(() => expect(said()).toHaveLength(1));
	forget();
	expect(said()[0]).toContain("This is the new version.");
	expect(seen).toEqual(["The new one"]);
	expect(calls.filter(({ method }) => method === "reviewMessage")).toHaveLength(1);
});

it("says why a message that changed can't be built again, and not that a new version is shown", async () => {
	const { said, answer } = await sendChanged();
	answer(new Refused("ARTIFACT_CHANGED", "The file report.pdf was changed.", "Run the work again."));
	await waitFor(() => expect(said()).toHaveLength(1));
	expect(said()).toEqual(["The message changed since you previewed it. The file report.pdf was changed. Run the work again."]);
	expect(screen.getByRole("alert").textContent).toContain("The file report.pdf was changed.");
	expect(screen.getByText("The message’s text:")).toBeDefined();
	expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
});

it("says only that a message changed if the page was left before it was built again", async () => {
	const { said } = await sendChanged();
	cleanup();
	await waitFor(() => expect(said()).toEqual(["The message changed since you previewed it."]));
});

it("says so too if the page was left before the message was refused", async () => {
	const refused = Promise.withResolvers<unknown>();
	const { calls } = open(occurrence(), { reviewMessage: () => refused.promise });
	fireEvent.click(await screen.findByRole("button", { name: "Send" }));
	await waitFor(() => expect(calls.some(({ method }) => method === "reviewMessage")).toBe(true));
	cleanup();
	refused.resolve(new Refused("PAYLOAD_CHANGED", "The message is no longer the one that was previewed."));
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual(["The message changed since you previewed it."]));
});

it("has no hash for a message that was never built to be sent", async () => {
	const { shown } = open(occurrence({ status: "failed", delivery: [action({ status: "failed", code: "DISCARDED" })] }));
	await waitFor(() => expect(shown()).toBe("To Anna: Two of 31 open orders are **late**."));
	expect(screen.queryByText(/exact bytes/i)).toBeNull();
});

it("drops the preview of a draft at once when the edit is discarded, so that it can't be sent as the message", async () => {
	let isSlow = false;
	const { shown } = open(occurrence(), {
		previewMessage: ({ content = "As the agent wrote it" }: { content?: string }) =>
			isSlow ? new Promise(() => undefined) : { ...preview, parts: [{ ...preview.parts[1], text: content }] },
	});
	await typeDraft("Edit");
	isSlow = true;
	fireEvent.click(screen.getByRole("button", { name: "Discard edit" }));
	expect(shown()).toBeUndefined();
	expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
});

it("offers to send a draft once its preview is shown, and says on the page what helps if the contact is gone", async () => {
	const { fix } = errorCatalogue.RECIPIENT_UNKNOWN;
	const { calls } = open(occurrence(), {
		previewMessage: ({ content }: { content?: string }) =>
			content === "My own words." ? new Refused("RECIPIENT_UNKNOWN", "There is no contact anna.", fix) : preview,
	});
	await screen.findByRole("button", { name: "Send" });
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	const editor = await screen.findByRole("textbox", { name: "The message" });
	expect(screen.getByRole("button", { name: "Send this text" })).toHaveProperty("disabled", true);
	await waitFor(() => expect(screen.getByRole("button", { name: "Send this text" })).toHaveProperty("disabled", false));
	fireEvent.change(editor, { target: { value: "My own words." } });
	const problem = await screen.findByRole("alert");
	expect(problem.textContent).toBe(
		"There is no contact anna. Add the contact, or its address for this channel, under Settings > Contacts.",
	);
	fireEvent.keyDown(screen.getByRole("main"), { key: "Enter", ctrlKey: true });
	expect(calls.filter(({ method }) => method === "reviewMessage")).toEqual([]);
});
