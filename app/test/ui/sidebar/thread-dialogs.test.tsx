import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leftDraft } from "../../../src/ui/drafts/left-drafts.ts";
import { noteOwn } from "../../../src/ui/drafts/own-drafts.ts";
import { noteEdit } from "../../../src/ui/drafts/queued-edits.ts";
import { askDelete, askRename } from "../../../src/ui/sidebar/asked-dialog.ts";
import { ThreadDialogs } from "../../../src/ui/sidebar/thread-dialogs.tsx";
import { hrefOf, type Route, route } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, ended, summary } from "../stories.ts";

afterEach(cleanup);

describe("the question whether to delete a thread", () => {
	let app: FakeApp;
	beforeEach(() => {
		app = new FakeApp();
		app.answers.set("threadDeletion", () => ({
			folder: { path: "/home/threads/a", files: 4 },
			atBridge: [{ kind: "workspace", path: "/w/a", files: 2 }],
		}));
		app.answers.set("deleteThread", () => ({ deletedRuns: 1, freedBytes: 0 }));
	});
	afterEach(() => {
		app[Symbol.dispose]();
		untold.set([]);
		location.hash = "";
	});

	it("says what is deleted with it, and can't be answered before that is known", async () => {
		ask(idle);
		expect(button().disabled).toBe(true);
		await screen.findByText("The agent’s workspace folder is deleted too, with 2 files: /w/a");
		expect(screen.getByText(/4 files, and everything else in this thread’s folder\.$/)).toBeTruthy();
		expect(screen.getByText("Your own files in project folders are not affected.")).toBeTruthy();
		expect(button().disabled).toBe(false);
	});

	it("says so if that can't be found out", async () => {
		app.answers.set("threadDeletion", () => ({ folder: { path: "/home/threads/a", files: 0 } }));
		ask(idle);
		await screen.findByText(/XWorkmate can’t tell what else will be deleted/);
		expect(button().disabled).toBe(false);
	});

	it("counts the runs that the bridge has, not the messages that it refused", async () => {
		app.answers.set("threadDeletion", () => ({ runs: 2, folder: { path: "/home/threads/a", files: 0 }, atBridge: [] }));
		ask({ ...idle, turnCount: 5 });
		await screen.findByText(/^This permanently deletes 2 runs and everything else/);
	});

	it("says that a gateway keeps what it has of the thread", async () => {
		app.answers.set("threadDeletion", () => ({ runs: 1, onGateway: true, folder: { path: "/home/threads/a", files: 0 }, atBridge: [] }));
		ask(idle);
		await screen.findByText("What OpenClaw keeps of the conversation and of the runs’ files isn’t deleted.");
	});

	const [one, two] = ["https://one.example", "https://two.example"] as const;
	it.each([
		[{ addresses: [] }, "on another bridge."],
		[{ addresses: [one] }, `on another bridge (${one}).`],
		[{ addresses: [one, two] }, `on other bridges (${one} and ${two}).`],
		[{ addresses: [], own: true }, "on the bridge of this data folder."],
		[{ addresses: [one], own: true }, `on the bridge of this data folder and on another bridge (${one}).`],
	])("says which runs stay, because they are at another bridge: %j", async (at, words) => {
		const elsewhere = { runs: 2, ...at };
		app.answers.set("threadDeletion", () => ({ runs: 0, elsewhere, folder: { path: "/home/threads/a", files: 0 }, atBridge: [] }));
		ask(idle);
		await screen.findByText(`2 runs of this thread will stay ${words}`);
		expect(screen.getByText("This permanently deletes everything in this thread’s folder.")).toBeTruthy();
	});

	const lastTurn = ended({}, undefined).turn;
	const idle = summary("a", 1, { lastTurn, title: "The site" });
	const saving = { ...idle, pendingTurnId: lastTurn.turnId };
	const running = { ...saving, lastTurn: { ...lastTurn, status: "running" as const } };
	const busy = "This thread is still running. Stop it before deleting.";
	const ask = (thread: typeof idle) => {
		const here = new InApp({ ...appState, threads: [thread] });
		render(
			<div className="frame">
				<ThreadDialogs />
			</div>,
			{ wrapper: here.wrapper },
		);
		act(() => askDelete(thread));
		return (threads: readonly (typeof idle)[]) => act(() => here.app.set({ ...appState, threads }));
	};
	const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });

	it("follows the thread: it can be deleted once its run is over, and not while a new one is under way", async () => {
		const become = ask(running);
		await screen.findByText("Your own files in project folders are not affected.");
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([true, true]);
		become([idle]);
		await screen.findByText("Your own files in project folders are not affected.");
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([false, false]);
		become([running]);
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([true, true]);
	});

	it("asks for no stop while only the files of a run that has ended are being saved", async () => {
		const become = ask(running);
		await screen.findByText("Your own files in project folders are not affected.");
		become([saving]);
		expect(
			screen.getByText("Files of the last run are still being saved. You can delete the thread once they have been saved."),
		).toBeTruthy();
		expect([screen.queryByText(busy), button().disabled]).toEqual([null, true]);
		become([idle]);
		await screen.findByText("Your own files in project folders are not affected.");
		expect(button().disabled).toBe(false);
	});

	it("counts again once the run has ended, and can't be answered with the counts of before", async () => {
		const become = ask(running);
		await screen.findByText("The agent’s workspace folder is deleted too, with 2 files: /w/a");
		app.answers.set("threadDeletion", () => ({
			folder: { path: "/home/threads/a", files: 5 },
			atBridge: [{ kind: "workspace", path: "/w/a", files: 3 }],
		}));
		become([idle]);
		expect([screen.queryByText(/with 2 files/), button().disabled]).toEqual([null, true]);
		await screen.findByText("The agent’s workspace folder is deleted too, with 3 files: /w/a");
		expect(screen.getByText(/5 files, and everything else/)).toBeTruthy();
		expect(button().disabled).toBe(false);
	});

	it("names an unsent draft, and goes when another window has deleted the thread", () => {
		const become = ask({ ...idle, hasDraft: true });
		expect(screen.getByText("Its unsent draft will be deleted too.")).toBeTruthy();
		become([]);
		expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
	});

	it("takes what was typed for it in this window along, as it says", async () => {
		const { threadId } = idle;
		noteOwn(threadId, { prompt: "half a thought", options: {}, files: [] });
		noteEdit({ threadId, queuedId: TurnId.parse("queued"), typed: "an edit" });
		ask({ ...idle, hasDraft: true });
		await screen.findByText("Your own files in project folders are not affected.");
		fireEvent.click(button());
		await act(() => until("it is deleted", () => app.of("deleteThread").length === 1));
		await act(() => until("nothing is left", () => leftDraft(threadId) === undefined));
		expect(sessionStorage).toHaveLength(0);
	});

	const of = (threadId: string) => ({ threadId: ThreadId.parse(threadId) });
	it.each<[Route, string]>([
		[{ page: "thread", ...of("a") }, "#/"],
		[{ page: "log", ...of("a"), turnId: lastTurn.turnId }, "#/"],
		[{ page: "changes", ...of("a") }, "#/"],
		[{ page: "changes", ...of("b") }, "#/changes/b"],
		[{ page: "plans" }, "#/plans"],
	])("leaves a page that is about the deleted thread, and no other: %j", async (at, left) => {
		location.hash = hrefOf(at);
		act(() => route.set(at));
		ask(idle);
		await screen.findByText("Your own files in project folders are not affected.");
		fireEvent.click(button());
		await act(() => until("it is said", () => untold.value.length > 0));
		expect(location.hash).toBe(left);
	});
});

it("the title's dialog shows a title that another window has given, until one is typed here", () => {
	const thread = (title: string) => summary("a", 1, { title });
	const here = new InApp({ ...appState, threads: [thread("first")] });
	render(
		<div className="frame">
			<ThreadDialogs />
		</div>,
		{ wrapper: here.wrapper },
	);
	const store = (title: string) => act(() => here.app.set({ ...appState, threads: [thread(title)] }));
	act(() => askRename(thread("first")));
	const field = screen.getByRole<HTMLInputElement>("textbox");
	store("second");
	expect(field.value).toBe("second");
	fireEvent.change(field, { target: { value: "my own" } });
	store("third");
	expect(field.value).toBe("my own");
});
