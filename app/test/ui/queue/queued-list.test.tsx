import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { RunId, TurnId } from "@xworkmate/contracts";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Draft, ThreadDetail } from "../../../src/api/ui-api.ts";
import { DraftFileId } from "../../../src/threads/domain/composed-message.ts";
import type { Turn } from "../../../src/threads/domain/thread.ts";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { QueuedList } from "../../../src/ui/queue/queued-list.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, detail, leaveComposer } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

describe("messages that wait", () => {
	const message = (name: string) => ({
		queuedId: TurnId.parse(name.split(" ").join("").slice(0, 20)),
		prompt: name,
		routing: { executionTarget: "agent" as const },
		attachments: [],
		createdAt: at(0),
	});
	const waiting = (more: Partial<ThreadDetail>, composer: Partial<ComposerHandle> = {}) => {
		const here = new InApp();
		const ref = createRef<ComposerHandle>();
		const still = { write: () => undefined, writeAgain: () => undefined, choose: () => undefined, focus: () => undefined };
		ref.current = { ...still, isFree: async () => true, takeUp: () => undefined, putAbove: () => undefined, ...composer };
		const queued = [message("first"), message("second")];
		const shown = (now: Partial<ThreadDetail>) => (
			<QueuedList detail={detail({ queued, ...now })} composer={ref} reread={() => undefined} />
		);
		const { rerender, unmount } = render(shown(more), { wrapper: here.wrapper });
		return { here, unmount, show: (now: Partial<ThreadDetail>) => rerender(shown(now)) };
	};

	it("are put in another order", async () => {
		waiting({});
		fireEvent.click(screen.getByRole("button", { name: "Move up: second" }));
		await until("it moved", () => app.of("moveQueued").length === 1);
		expect(app.of("moveQueued")).toEqual([{ threadId: "thread1", queuedId: "second", position: 0 }]);
		expect(screen.queryByRole("button", { name: "Resume queue" })).toBeNull();
	});

	it("keep the focus on the button that moves them, also where it moves nothing", async () => {
		const { show } = waiting({});
		const up = () => screen.getByRole("button", { name: "Move up: second" });
		expect(up().getAttribute("aria-disabled")).toBe("false");
		up().focus();
		fireEvent.click(up());
		await until("it moved", () => app.of("moveQueued").length === 1);
		show({ queued: [message("second"), message("first")] });
		await until("it has the focus", () => document.activeElement === up());
		expect(up().getAttribute("aria-disabled")).toBe("true");
		fireEvent.click(up());
		fireEvent.click(screen.getByRole("button", { name: "Move down: first" }));
		expect([app.of("moveQueued").length, document.activeElement === up()]).toEqual([1, true]);
	});

	it("say why the next one could not be sent, and offer to resume", () => {
		const refusal = { code: "WORKSPACE_REFUSED", message: "The project folder is gone.", fix: "Choose another." };
		waiting({ queueHeld: true, queued: [{ ...message("first"), refusal }] });
		expect(screen.getByText(/^Queue paused/).textContent).toContain("Not sent: The project folder is gone. Choose another.");
		expect(screen.getByRole("button", { name: "Resume queue" })).toBeTruthy();
	});

	it("that a restored backup took out of the queue are not called removed by the user, but perhaps sent", () => {
		const removed = [message("mine"), { ...message("perhaps sent"), removedFor: "STORE_RESTORED" as const }];
		waiting({ queued: [], removed });
		const restored = screen.getByRole("list", { name: /a backup was restored. They may have been sent already/ });
		expect(
			within(restored)
				.getAllByRole("listitem")
				.map(({ textContent }) => textContent),
		).toEqual([expect.stringMatching(/^perhaps sent/)]);
		const own = screen.getByRole("list", { name: "Removed from queue" });
		expect(
			within(own)
				.getAllByRole("listitem")
				.map(({ textContent }) => textContent),
		).toEqual([expect.stringMatching(/^mine/)]);
	});

	it("say why they wait, no more surely than it is known", () => {
		const { thread } = detail();
		const why = (end: Partial<Turn>, more: Partial<ThreadDetail> = {}) => {
			const turns = thread.turns.map(({ runId: known, ...turn }) => ({ ...turn, runId: known ?? RunId.parse("run-1"), ...end }));
			const { unmount } = waiting({ queueHeld: true, thread: { ...thread, turns }, ...more });
			const said = screen.getByText(/^Queue paused/).textContent?.trim();
			unmount();
			return said?.replace("Resume queue", "").trim();
		};
		const asked = { status: "cancelled", cancelRequestedAt: thread.updatedAt } as const;
		expect(why(asked)).toBe("Queue paused: you stopped the run.");
		expect(why({ ...asked, stoppedAfterMs: 60_000 })).toBe("Queue paused: a run was stopped.");
		expect(why({ status: "cancelled" })).toBe("Queue paused: a run was stopped.");
		// It ended before the request reached the bridge.
		expect(why({ ...asked, resultDetail: { code: "CANCELLED_REMOTELY" } })).toBe("Queue paused: a run was stopped.");
		expect(why({ status: "unresolved" })).toBe("Queue paused: the outcome of the last run is unknown.");
		expect(why({ status: "interrupted" })).toBe("Queue paused: the outcome of the last run is unknown.");
		expect(why({ status: "failed" })).toBe("Queue paused: the last run didn’t succeed.");
		const unsent = "Queue paused: the last message wasn’t sent.";
		const withoutRun = thread.turns.map(({ runId: _, ...turn }) => turn);
		for (const end of [{ status: "refused" }, asked] as const) {
			const turns = withoutRun.map((turn) => ({ ...turn, ...end }));
			expect(why({}, { thread: { ...thread, turns } })).toBe(unsent);
		}
		const queued = [{ ...message("first"), heldAt: at(2) }];
		expect(why({ status: "refused" }, { queued })).toBe(unsent);
		expect(why({ status: "completed" }, { queued })).toBe("Queue paused until you resume it.");
		// Such as in a thread that was restored from the archive.
		expect(why({ status: "completed" })).toBe("Queue paused until you resume it.");
		expect(why({ status: "running" }, { queued, queueHeld: false })).toBe("Queue paused. You can resume it when this run has ended.");
	});

	it("are told apart by the beginning of each, whatever its length", () => {
		waiting({ queued: [message("first"), message("long ".repeat(100)), message("third")] });
		const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label") ?? "");
		expect(new Set(names).size).toBe(names.length);
		expect(names.filter((name) => name.length > 70)).toEqual([]);
		expect(names).toContain("Remove from queue: third");
	});

	it("that are sent while they have the focus leave it in the queue, and the last of them in the message field", () => {
		let focused = 0;
		const { show } = waiting({}, { focus: () => focused++ });
		screen.getByRole("button", { name: "Edit: first" }).focus();
		show({ queued: [message("second")] });
		expect(document.activeElement?.textContent?.trim()).toBe("Queued messages");
		show({ queued: [] });
		expect(focused).toBe(1);
	});

	it("that are held are sent by the person alone", async () => {
		const { here, show } = waiting({ queueHeld: true });
		const resume = screen.getByRole("button", { name: "Resume queue" });
		resume.focus();
		fireEvent.click(resume);
		await act(() => until("it is sent", () => app.of("sendQueued").length === 1));
		await until("it is announced", () => here.said.length === 1);
		expect(here.said).toEqual(["Queue resumed"]);
		show({ queueHeld: false });
		expect(document.activeElement?.textContent?.trim()).toBe("Queued messages");
	});

	it("[D13] go back into the message field when they are removed and it is free", async () => {
		const draft: Draft = { prompt: "first", updatedAt: at(1) };
		app.answers.set("dropQueued", () => ({ draft }));
		const taken: Draft[] = [];
		const { here } = waiting({}, { takeUp: (given) => void taken.push(given) });
		fireEvent.click(screen.getByRole("button", { name: "Remove from queue: first" }));
		await act(() => until("it is taken up", () => taken.length === 1));
		expect(app.of("dropQueued")).toEqual([{ threadId: "thread1", queuedId: "first", toDraft: true }]);
		expect([taken, here.said]).toEqual([[draft], ["Moved back to the message field"]]);
	});

	it("say in their place that they were not removed, until they are", async () => {
		app.lost.add("dropQueued");
		const { show } = waiting({});
		const row = () => within(screen.getByText("first").closest("li") ?? document.body);
		const remove = () => fireEvent.click(row().getByRole("button", { name: "Remove from queue: first" }));
		remove();
		expect(await row().findByText("Not removed. Try again.")).toBeTruthy();
		expect(screen.getAllByText("Not removed. Try again.")).toHaveLength(1);
		app.lost.clear();
		app.answers.set("dropQueued", () => ({}));
		remove();
		await act(() => until("it is dropped", () => app.of("dropQueued").length === 2));
		await act(async () => show({ queued: [message("second")], removed: [message("first")] }));
		expect(screen.queryByText(/Not removed/)).toBeNull();
	});

	it("[D13] are kept beside the queue when something is typed, with Undo, which has the focus", async () => {
		app.answers.set("dropQueued", () => ({}));
		const { show } = waiting({}, { isFree: async () => false });
		fireEvent.click(screen.getByRole("button", { name: "Remove from queue: first" }));
		await act(() => until("it is dropped", () => app.of("dropQueued").length === 1));
		expect(app.of("dropQueued")).toMatchObject([{ toDraft: false }]);
		await act(async () => show({ queued: [message("second")], removed: [message("first")] }));
		const removed = screen.getByRole("list", { name: "Removed from queue" });
		const undo = within(removed).getByRole("button", { name: "Undo" });
		expect([removed.textContent, document.activeElement]).toEqual(["firstUndo", undo]);
		fireEvent.click(undo);
		await act(() => until("it is put back", () => app.of("restoreQueued").length === 1));
		await act(async () => show({ queued: [message("first"), message("second")] }));
		expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit: first" }));
	});

	it("that were removed have a button that says whether putting one back sends it", () => {
		const next = { isNext: true } as const;
		const removed = [
			{ ...message("first"), ...next },
			{ ...message("second"), ...next, typed: "half a sec" },
		];
		const { show } = waiting({ queued: [], removed, sendsNext: true });
		const says = () => screen.getAllByRole("button", { name: /^(?:Undo|Send now)$/ }).map(({ textContent }) => textContent);
		expect(says()).toEqual(["Send now", "Undo"]);
		// It is sent past a message that is being edited, but not if its place is behind that message.
		const edited = [{ ...message("third"), typed: "half" }];
		show({ queued: edited, removed, sendsNext: true });
		expect(says()).toEqual(["Send now", "Undo"]);
		show({ queued: edited, removed: [message("first")], sendsNext: true });
		expect(says()).toEqual(["Undo"]);
		// A run that was stopped holds a queue that is empty, too.
		show({ queued: [], removed, sendsNext: false });
		expect(says()).toEqual(["Undo", "Undo"]);
	});

	it("[D13] that were removed come into the composer with their files, above what was typed meanwhile", async () => {
		const ref = createRef<ComposerHandle>();
		const fileId = DraftFileId.parse("file-of-queue");
		const files = [{ fileId, name: "a.txt", mediaType: "text/plain", sizeBytes: 3, sha256: "0".repeat(64) }];
		const { field, type } = compose(app, { thread: detail(), ref });
		expect(await act(() => ref.current?.isFree())).toBe(true);
		type("typed");
		expect(await act(() => ref.current?.isFree())).toBe(false);
		act(() => ref.current?.takeUp({ prompt: "queued", files, require: ["*.pdf"], requiresExport: true, updatedAt: at(1) }));
		expect(field).toHaveProperty("value", "queued\n\ntyped");
		expect(screen.getByRole("list", { name: "Attached files" }).textContent).toContain("a.txt");
		expect(screen.getByRole("group", { name: "Required files" }).textContent).toContain("*.pdf");
		await act(() => until("it is kept", () => app.of("saveDraft").length === 2));
		expect(app.of("saveDraft")[1]).toMatchObject({ draft: { require: ["*.pdf"], requiresExport: true } });
	});

	it("[D13] are not asked for as a draft while the app is still told of what was typed here", async () => {
		const ref = createRef<ComposerHandle>();
		const { promise, resolve } = Promise.withResolvers<void>();
		app.answers.set("saveDraft", () => promise);
		const { type } = compose(app, { thread: detail(), ref });
		type("typed");
		dispatchEvent(new Event("pagehide"));
		type("");
		let isFree: boolean | undefined;
		const asked = ref.current?.isFree().then((is) => {
			isFree = is;
		});
		await act(() => until("the first is told", () => app.of("saveDraft").length === 1));
		expect(isFree).toBeUndefined();
		resolve();
		await act(async () => asked);
		expect([isFree, app.of("saveDraft").length]).toEqual([true, 2]);
	});
});
