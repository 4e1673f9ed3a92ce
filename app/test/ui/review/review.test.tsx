import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import InboxPage from "../../../src/ui/inbox/inbox-page.tsx";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
	untold.set([]);
});

function open(one = occurrence(), answers: object = {}) {
	const calls = fakeApp({
		plan: plan({ occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		previewMessage: preview,
		reviewMessage: { occurrence: one, applied: true },
		...answers,
	});
	// Dialogs open within the frame.
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	return calls;
}
const told = () => untold.value.map(({ text }) => text);
const decisions = (calls: ReturnType<typeof open>) => calls.filter(({ method }) => method === "reviewMessage").map(({ params }) => params);

describe("the review of a message", () => {
	it("shows exactly what would leave, sealed, and sends it under its hash and revision", async () => {
		const calls = open();
		const frame = await screen.findByTitle("The email as the recipient sees it");
		expect(frame.getAttribute("sandbox")).toBe("");
		expect(frame.getAttribute("srcdoc")).toContain("default-src 'none'");
		// A link that opens a window does nothing in a sandbox that allows none; any other would lead the frame away from the email.
		expect(frame.getAttribute("sandbox")).toBe("");
		expect(frame.getAttribute("srcdoc")).toContain('<base target="_blank">');
		expect(screen.getByText("The message says something was done, but nothing confirms it", { selector: "h2" })).toBeTruthy();
		fireEvent.click(screen.getByRole("button", { name: "Send" }));
		await waitFor(() =>
			expect(decisions(calls)).toEqual([
				{ occurrenceId: "p1-1", actionId: "p1-1-1", revision: 4, decision: "send", payloadHash: preview.payloadHash },
			]),
		);
		await waitFor(() => expect(told()).toEqual(["Your decision to send the message was recorded."]));
	});

	it("offers to send one message at a time, because each is previewed by itself", async () => {
		const held = occurrence();
		const [first] = held.delivery;
		open({ ...held, delivery: first === undefined ? [] : [first, { ...first, actionId: "p1-1-2" as typeof first.actionId }] });
		await screen.findByTitle("The email as the recipient sees it");
		expect(screen.getAllByRole("button", { name: /^Send/ }).map((button) => button.textContent)).toEqual(["Send"]);
	});

	it("sends with Ctrl+Enter, and never with Enter or a letter", async () => {
		const calls = open();
		await screen.findByTitle("The email as the recipient sees it");
		const main = screen.getByRole("main");
		for (const key of ["Enter", "s", "S"]) fireEvent.keyDown(main, { key });
		expect(decisions(calls)).toEqual([]);
		fireEvent.keyDown(main, { key: "Enter", ctrlKey: true });
		await waitFor(() => expect(decisions(calls)).toHaveLength(1));
	});

	it("asks once more before it sends what may be hostile", async () => {
		const calls = open(occurrence({ delivery: [action({ code: "LINT_BIDI", lint: [{ rule: "bidi", at: 3, excerpt: "a\u202eb" }] })] }), {
			previewMessage: { ...preview, lint: [{ rule: "bidi", at: 3, excerpt: "a\u202eb" }] },
		});
		await screen.findByTitle("The email as the recipient sees it");
		expect(screen.getByRole("complementary", { name: "Checks and bytes" }).textContent).not.toContain("\u202e");
		fireEvent.click(screen.getByRole("button", { name: "Send anyway…" }));
		expect(decisions(calls)).toEqual([]);
		fireEvent.click(await screen.findByRole("button", { name: "Send as is" }));
		await waitFor(() => expect(decisions(calls)).toHaveLength(1));
	});

	it("begins with an empty editor where there is no message: the work log is never copied into it", async () => {
		const calls = open(
			occurrence({
				deliverable: undefined,
				gate: { valid: false, reason: "missing", words: "Deliverable tags missing" },
				delivery: [action({ code: "GATE_MISSING" })],
			}),
		);
		fireEvent.click(await screen.findByRole("button", { name: "Write it yourself" }));
		const editor = screen.getByRole("textbox", { name: "The message" });
		expect(editor).toHaveProperty("value", "");
		expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
		fireEvent.change(editor, { target: { value: "My own words" } });
		await screen.findByTitle("The email as the recipient sees it");
		fireEvent.click(screen.getByRole("button", { name: "Send this text" }));
		await waitFor(() =>
			expect(decisions(calls).at(-1)).toMatchObject({ decision: "edit", content: "My own words", payloadHash: preview.payloadHash }),
		);
	});

	it("says when it was decided elsewhere, and when the message has changed", async () => {
		const calls = open(occurrence(), { reviewMessage: { occurrence: occurrence(), applied: false } });
		fireEvent.click(await screen.findByRole("button", { name: "Discard" }));
		await waitFor(() => expect(told().join()).toContain("in the meantime"));
		expect(decisions(calls)).toHaveLength(1);
		cleanup();
		untold.set([]);
		open(occurrence(), { reviewMessage: new Refused("PAYLOAD_CHANGED", "The message is no longer the one that was previewed.") });
		await screen.findByTitle("The email as the recipient sees it");
		fireEvent.click(screen.getByRole("button", { name: "Send" }));
		await waitFor(() => expect(told().join()).toContain("This is the new version."));
	});

	it("shows a message of a due time that is older than any list, and says if it no longer exists", async () => {
		const newest = occurrence({ occurrenceId: "p1-900" });
		const planOccurrences = ({ occurrenceId }: { occurrenceId?: string }) => {
			if (occurrenceId === undefined) return { items: [newest], nextCursor: "older" };
			return { items: occurrenceId === "p1-1" ? [occurrence()] : [] };
		};
		const calls = open(occurrence(), { planOccurrences });
		expect(await screen.findByTitle("The email as the recipient sees it")).toBeTruthy();
		const previewed = calls.filter(({ method }) => method === "previewMessage");
		expect(previewed.map(({ params }) => params.occurrenceId)).toEqual(["p1-1"]);
		cleanup();
		open(occurrence(), { planOccurrences: () => ({ items: [] }) });
		expect(await screen.findByText("This message no longer exists.")).toBeTruthy();
	});

	it("shows the hash and the size of the exact bytes of a message that was sent", async () => {
		open(occurrence({ delivery: [action({ status: "completed", payloadHash: preview.payloadHash })] }));
		expect(await screen.findByText("These are the exact bytes that were built for this message.")).toBeTruthy();
		expect(screen.getByText(`${preview.size.toLocaleString("en")} bytes`)).toBeTruthy();
	});

	it("does not call a message what was sent if it was built anew and differs", async () => {
		open(occurrence({ delivery: [action({ status: "completed", payloadHash: "b".repeat(64) })] }));
		expect(await screen.findByText(/This version was built just now/)).toBeTruthy();
		expect(screen.getByText("bbbb ".repeat(16).trim())).toBeTruthy();
		expect(screen.queryByText("These are the exact bytes that were built for this message.")).toBeNull();
		expect(screen.queryByText(/^1,234 bytes/)).toBeNull();
	});

	it("settles what is unknown only by an answer, and sends again only after a tick", async () => {
		const unknown = occurrence({ delivery: [action({ status: "unknown", code: "NO_ANSWER", providerMessageId: "<a@b>" })] });
		const calls = open(unknown, { settleMessage: { occurrence: unknown, applied: true }, resendMessages: unknown });
		fireEvent.click(await screen.findByRole("button", { name: "Did it arrive?" }));
		const dialog = await screen.findByRole("dialog", { name: "Did this message arrive?" });
		expect(dialog.textContent).toContain("<a@b>");
		expect(
			within(dialog)
				.getAllByRole("button")
				.some((button) => button.className.includes("pri")),
		).toBe(false);
		fireEvent.click(within(dialog).getByRole("button", { name: "It never arrived" }));
		await waitFor(() =>
			expect(calls.find(({ method }) => method === "settleMessage")?.params).toMatchObject({ outcome: "not_sent", revision: 4 }),
		);
		fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
		const again = await screen.findByRole("dialog", { name: "Send this again?" });
		const send = within(again).getByRole("button", { name: "Send again" });
		expect(send).toHaveProperty("disabled", true);
		fireEvent.click(within(again).getByRole("checkbox"));
		fireEvent.click(send);
		await waitFor(() =>
			expect(calls.find(({ method }) => method === "resendMessages")?.params).toMatchObject({
				actionIds: ["p1-1-1"],
				allowDuplicate: true,
			}),
		);
	});

	it("sends what was discarded after all, not again, and goes to its review if it is held once more", async () => {
		const again = occurrence({ occurrenceId: "p1-2", kind: "resend", delivery: [action({ actionId: "p1-2-1" })] });
		const calls = open(occurrence({ status: "failed", delivery: [action({ status: "failed", code: "DISCARDED" })] }), {
			resendMessages: again,
		});
		fireEvent.click(await screen.findByRole("button", { name: "Send after all…" }));
		const dialog = await screen.findByRole("dialog", { name: "Send this after all?" });
		fireEvent.click(within(dialog).getByRole("button", { name: "Send after all" }));
		await waitFor(() => expect(told()).toEqual(["Review the message before it is sent."]));
		expect(location.hash).toBe("#/plans/p1/p1-2/review/p1-2-1");
		expect(calls.filter(({ method }) => method === "resendMessages")).toHaveLength(1);
	});

	it("asks for the tick again after the dialog was cancelled", async () => {
		open(occurrence({ delivery: [action({ status: "unknown", code: "NO_ANSWER" })] }), {});
		const opened = async () => {
			fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
			return within(await screen.findByRole("dialog", { name: "Send this again?" }));
		};
		const first = await opened();
		fireEvent.click(first.getByRole("checkbox"));
		expect(first.getByRole("button", { name: "Send again" })).toHaveProperty("disabled", false);
		fireEvent.click(first.getByRole("button", { name: "Cancel" }));
		await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
		expect((await opened()).getByRole("button", { name: "Send again" })).toHaveProperty("disabled", true);
	});
});

describe("the inbox", () => {
	const message = {
		messageId: "m1",
		at: AT,
		title: "Morning brief",
		text: "**Five** points",
		planId: "p1",
		occurrenceId: "p1-1",
		read: false,
	};

	it("lists what plans sent, marks what is opened as read, and U marks it unread", async () => {
		const calls = fakeApp({ inbox: { items: [message], unread: 1 }, markInbox: { unread: 0 } });
		render(<InboxPage messageId="m1" />, { wrapper: new InApp().wrapper });
		expect(await screen.findByRole("heading", { name: "Morning brief" })).toBeTruthy();
		// The time is when the plan was due; the message may have been held since then.
		expect(screen.getAllByText(/^Due \S/)).toHaveLength(2);
		await waitFor(() => expect(calls.filter(({ method }) => method === "markInbox").map(({ params }) => params.read)).toEqual([true]));
		fireEvent.keyDown(screen.getByRole("main"), { key: "u" });
		await waitFor(() =>
			expect(calls.filter(({ method }) => method === "markInbox").map(({ params }) => params.read)).toEqual([true, false]),
		);
	});

	it("leaves a message read at U while single-key shortcuts are off", async () => {
		setPreferences({ singleKeys: false });
		onTestFinished(() => setPreferences({ singleKeys: true }));
		const calls = fakeApp({ inbox: { items: [message], unread: 1 }, markInbox: { unread: 0 } });
		render(<InboxPage messageId="m1" />, { wrapper: new InApp().wrapper });
		const marks = () => calls.filter(({ method }) => method === "markInbox").map(({ params }) => params.read);
		await waitFor(() => expect(marks()).toEqual([true]));
		fireEvent.keyDown(screen.getByRole("main"), { key: "u" });
		fireEvent.click(screen.getByRole("button", { name: "Mark unread" }));
		await waitFor(() => expect(marks().at(-1)).toBe(false));
		expect(marks()).toEqual([true, false]);
	});

	/** An inbox of 450 messages as the bridge pages it; the last 50 are unread. */
	function fullInbox() {
		const isRead = Array.from({ length: 450 }, (_, index) => index < 400);
		const items = () => isRead.map((read, index) => ({ ...message, messageId: `m${index}`, title: `Brief ${index}`, read }));
		fakeApp({
			inbox: ({ unread, limit, cursor = "0" }: { unread?: true; limit: number; cursor?: string }) => {
				const from = Number(cursor);
				const found = items().filter(({ read }, index) => index >= from && !(unread === true && read));
				const page = found.slice(0, limit);
				const next = page.length < found.length ? { nextCursor: String(Number(page.at(-1)?.messageId.slice(1)) + 1) } : {};
				return { items: page, unread: items().filter(({ read }) => !read).length, ...next };
			},
			markInbox: ({ messageIds, read }: { messageIds: readonly string[]; read: boolean }) => {
				for (const messageId of messageIds) isRead[Number(messageId.slice(1))] = read;
				return { unread: 0 };
			},
		});
		return isRead;
	}

	it("shows older messages page by page, to the last", async () => {
		fullInbox();
		render(<InboxPage />, { wrapper: new InApp().wrapper });
		const list = await screen.findByRole("navigation", { name: "Messages" });
		expect(list.querySelectorAll("li")).toHaveLength(200);
		for (const shown of [400, 450]) {
			fireEvent.click(within(list).getByRole("button", { name: "Show older messages" }));
			await waitFor(() => expect(list.querySelectorAll("li")).toHaveLength(shown));
		}
		expect(within(list).getByText("Brief 449")).toBeTruthy();
		expect(within(list).queryByRole("button", { name: "Show older messages" })).toBeNull();
	});

	it("marks all as read, including messages that are not listed", async () => {
		const isRead = fullInbox();
		// More than one call can mark.
		isRead.fill(false, 0, 250);
		render(<InboxPage />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText("300 unread")).toBeTruthy();
		fireEvent.click(screen.getByRole("button", { name: "Mark all read" }));
		expect(await screen.findByText("0 unread")).toBeTruthy();
		expect(isRead).not.toContain(false);
		expect(screen.queryByRole("button", { name: "Mark all read" })).toBeNull();
	});

	it("says what it is for while it is empty", async () => {
		fakeApp({ inbox: { items: [], unread: 0 } });
		render(<InboxPage />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText(/Nothing here yet/)).toBeTruthy();
	});
});
