import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { messageMenu } from "../../../src/ui/conversation/message-menu-state.ts";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { closeFind, openFind } from "../../../src/ui/state/find-text.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, stage, summary, update } from "../stories.ts";

const threadId = ThreadId.parse("thread1");
const [withSteps, withoutSteps, ...newer] = ["a", "b", "c", "d", "e", "f"].map((name) => TurnId.parse(name));

const answer = update(2, { kind: "message_delta", messageId: "m", text: "Done." });
const call = update(3, { kind: "tool_call", toolCallId: "c", title: "make check", toolKind: "execute", state: "completed" });

let app: FakeApp;
let reader: ThreadReader;
let near: (turnId: string | undefined) => void;
beforeEach(async () => {
	const seen = new Map<Element, () => void>();
	vi.stubGlobal(
		"IntersectionObserver",
		class {
			readonly #tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void;
			constructor(tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
				this.#tell = tell;
			}
			observe(element: Element): void {
				seen.set(element, () => this.#tell([{ isIntersecting: true }]));
			}
			disconnect(): void {}
		},
	);
	near = (turnId) => act(() => [...seen].find(([element]) => element.getAttribute("data-turn") === turnId)?.[1]());
	app = new FakeApp();
	const turns = [withSteps, withoutSteps, ...newer].flatMap((turnId) => (turnId ? [ended({ turnId }, undefined)] : []));
	app.answers.set("readThread", () => ({
		thread: { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false },
		...{ turns, folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", ({ turnId, afterSeq }) => {
		const all = [stage(1, "working"), answer, ...(turnId === withSteps ? [call] : [])];
		return { updates: all.filter(({ seq }) => seq > Number(afterSeq)), more: false };
	});
	reader = new ThreadReader(threadId);
	await reader.read();
});
afterEach(() => {
	cleanup();
	reader.close();
	app[Symbol.dispose]();
	vi.unstubAllGlobals();
	// A browser without highlights shows the current hit as the selection, which other tests must not find.
	getSelection()?.removeAllRanges();
});

it("offers the steps of an earlier turn once it has read that there are some, and none where there are none", async () => {
	const here = new InApp();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: here.wrapper });
	await until("the newest turns are read", () => screen.queryAllByText("Done.").length === newer.length);
	expect(document.querySelectorAll("details")).toHaveLength(0);
	expect(app.of("readUpdates").some(({ turnId }) => turnId === withSteps)).toBe(false);
	near(withSteps);
	near(withoutSteps);
	await until("the earlier turns are read", () => screen.queryAllByText("Done.").length === newer.length + 2);
	expect([...document.querySelectorAll("details")].map((row) => row.textContent)).toEqual(["1 step"]);
});

it("copies everything that the agent said in the turn, not only what followed its last call", async () => {
	const later = update(4, { kind: "message_delta", messageId: "m2", text: "All checked." });
	app.answers.set("readUpdates", ({ afterSeq }) => ({
		updates: [answer, call, later].filter(({ seq }) => seq > Number(afterSeq)),
		more: false,
	}));
	const here = new InApp();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: here.wrapper });
	await until("the newest turns are read", () => screen.queryAllByText("All checked.").length === newer.length);
	const button = screen.getAllByRole("button", { name: "Actions for this answer" }).at(-1);
	if (button !== undefined) fireEvent.click(button);
	expect(messageMenu.value?.answer).toBe("Done.\n\nAll checked.");
	act(() => messageMenu.set(undefined));
});

it("reads every turn for a search, the newest first and a few at a time, and gives no result as the last one before", async () => {
	const old = Array.from({ length: 6 }, (_, index) => TurnId.parse(`old${index}`));
	const turns = [...old, ...newer].flatMap((turnId) => (turnId ? [ended({ turnId }, undefined)] : []));
	const { detail } = reader.open.value;
	if (detail !== undefined) reader.open.set({ ...reader.open.value, detail: { ...detail, turns } });
	const asked: string[] = [];
	const given = new Map(old.map((turnId) => [turnId as string, Promise.withResolvers<void>()]));
	app.answers.set("readUpdates", async ({ turnId, afterSeq }) => {
		if (given.has(String(turnId))) asked.push(String(turnId));
		await given.get(String(turnId))?.promise;
		const text = turnId === old[0] ? "The needle." : "Done.";
		const said = update(2, { kind: "message_delta", messageId: "m", text });
		return { updates: [said].filter(({ seq }) => seq > Number(afterSeq)), more: false };
	});
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: new InApp().wrapper });
	await until("the newest turns are read", () => screen.queryAllByText("Done.").length === newer.length);
	expect(asked).toEqual([]);
	const place = () => document.querySelector(".find-count")?.textContent;
	act(() => openFind(threadId, "needle"));
	expect([asked, place()]).toEqual([["old2", "old3", "old4", "old5"], "Searching…"]);
	given.get("old3")?.resolve();
	await until("the next one is asked for", () => asked.length === 5);
	expect(asked.at(-1)).toBe("old1");
	for (const [turnId, { resolve }] of given) if (turnId !== "old2") resolve();
	await until("a match is shown", () => place() === "1 of 1 so far");
	given.get("old2")?.resolve();
	await until("everything is searched", () => place() === "1 of 1");
	act(() => closeFind(threadId));
});
