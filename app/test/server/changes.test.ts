import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileRoute } from "../../src/api/ui-routes.ts";
import { held } from "../support/core-scene.ts";
import { FakeChanges } from "../support/fake-changes.ts";
import { type Page, UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

async function opened(): Promise<UiScene> {
	const ui = await UiScene.open();
	await ui.signIn();
	return ui;
}

describe("what a page follows", () => {
	it("is the state once, then every change: two pages and a third that comes later agree", async () => {
		await using ui = await opened();
		ui.scene.bridge.onRun = (run) => void run.text("hello").end("completed", { "report.md": "# hello" });
		await using first = await ui.page();
		await using second = await ui.page();
		await until("both have the state", () => first.seen.length > 0 && second.seen.length > 0);
		const { result } = await ui.call<{ threadId: string }>("send", { prompt: "write a report", routing: { executionTarget: "agent" } });
		const ready = () => first.state.threads[0]?.lastArtifactSyncStatus === "synced" && second.state.threads[0]?.lifecycleStatus === "ready";
		await until("the run is over on both", ready);
		await using third = await ui.page();
		await until("the third has the state", () => third.seen.length > 0);
		expect(first.state.threads).toEqual(third.state.threads);
		expect(second.state.threads).toEqual(third.state.threads);
		expect(third.state.threads).toMatchObject([
			{ threadId: result.threadId, preview: "write a report", turnCount: 1, fileCount: 1, lastResultCode: "success", hasDraft: false },
		]);
		expect(first.seen[0]?.type).toBe("state");
	});

	it("is not every update of a run: the list says what it is about, the turn's own stream the rest", async () => {
		await using ui = await opened();
		const run = held(ui.scene.bridge);
		await using page = await ui.page();
		const sent = await ui.scene.send("talk");
		await until("it runs", () => page.seen.length > 0 && page.state.threads[0]?.lastTurn?.status === "running");
		const before = page.seen.length;
		const lastSeq = async () => (await ui.scene.api.showThread({ threadId: sent.threadId })).thread.turns[0]?.lastSeq ?? 0;
		for (let count = 0; count < 30; count++) {
			const seen = await lastSeq();
			run().text(`word ${count} `);
			await until("the app has it", async () => (await lastSeq()) > seen);
		}
		run().end("completed");
		await ui.scene.end(sent);
		await until("it is over", () => page.state.threads[0]?.lifecycleStatus === "ready");
		expect(page.seen.length - before).toBeLessThan(10);
	});

	it("tells every page that the tools changed, and that they may have while the bridge was not heard", async () => {
		await using ui = await opened();
		const changes = new FakeChanges();
		ui.scene.bridge.changes = changes;
		await using page = await ui.page();
		const told = () => page.seen.filter(({ type }) => type === "tools").length;
		await until("the app follows", () => changes.open === 1 && told() > 0);
		const before = told();
		changes.tell({ kind: "tools" });
		await until("it is told", () => told() > before);
	});

	it("[D2] shows a grant that holds in every window, after a reload and a restart, until it is revoked in one", async () => {
		await using ui = await opened();
		const run = held(ui.scene.bridge);
		const ids = (page: Page): readonly string[] => page.state.grants?.map(({ approvalId }) => approvalId) ?? [];
		{
			await using first = await ui.page();
			await using second = await ui.page();
			await ui.scene.send("ask me");
			await until("the run began", () => ui.scene.bridge.runs.length > 0);
			run().offers("test");
			await until("it waits", () => second.seen.length > 0 && second.state.approvals.length === 1);
			await ui.call("decideApproval", { approvalId: "test", decision: "allow_window" });
			await until("both know", () => [first, second].every((page) => ids(page).length === 1));
			expect(second.state.grants).toMatchObject([{ approvalId: "test", grantScope: { words: ["npm", "test"] }, windowSeconds: 900 }]);
		}
		await ui.scene.restart();
		await ui.serve();
		await ui.signIn();
		await using first = await ui.page();
		await using second = await ui.page();
		await until("it is known again", () => [first, second].every((page) => page.seen.length > 0 && ids(page).length === 1));
		expect((await ui.call("revokeGrant", { approvalId: "test" })).result).toMatchObject({
			applied: true,
			record: { revokedAt: expect.any(String) },
		});
		await until("it is gone everywhere", () => [first, second].every((page) => ids(page).length === 0));
		expect((await ui.call("revokeGrant", { approvalId: "test" })).result).toMatchObject({ applied: false });
		// What an update of the run says about it is older.
		run().offers("test", "allow_window").offers("other", "allow_window");
		await until("another one is there", () => ids(first).includes("other"));
		expect(ids(first)).toEqual(["other"]);
	});

	it("tells of a request that waits, and closes it everywhere once it is answered on one page", async () => {
		await using ui = await opened();
		const run = held(ui.scene.bridge);
		await using first = await ui.page();
		await using second = await ui.page();
		await ui.scene.send("ask me");
		await until("the run began", () => ui.scene.bridge.runs.length > 0);
		run().asks("delete-all");
		const asked = () => [first, second].every((page) => page.seen.length > 0 && page.state.approvals.length === 1);
		await until("both pages are asked", asked);
		const { result } = await ui.call("decideApproval", { approvalId: "delete-all", decision: "deny" });
		expect(result).toMatchObject({ applied: true, record: { decision: "deny" } });
		await until("both pages know the answer", () => first.state.approvals.length === 0 && second.state.approvals.length === 0);
		expect(second.seen.filter((change) => change.type === "approval").at(-1)).toMatchObject({ approval: { decision: "deny" } });
		await using third = await ui.page();
		await until("the third has the state", () => third.seen.length > 0);
		expect(third.state.approvals).toEqual([]);
		run().end("completed");
	});

	it("has what waits after a restart of the app, and what was answered elsewhere meanwhile no more", async () => {
		await using ui = await opened();
		const run = held(ui.scene.bridge);
		await ui.scene.send("ask me");
		await until("the run began", () => ui.scene.bridge.runs.length > 0);
		run().asks("first").asks("second");
		await using before = await ui.page();
		await until("both are written", () => before.seen.length > 0 && before.state.approvals.length === 2);
		const [, session = ""] = ui.cookie.split("=");
		await ui.scene.restart(() => void run().asks("first", "allow_once"));
		await ui.serve();
		ui.cookie = `xworkmate_${ui.port}=${session}`;
		await using page = await ui.page();
		await until("what waits is there", () => page.seen.length > 0 && page.state.approvals.length > 0);
		expect(page.state.approvals.map(({ approvalId }) => approvalId)).toEqual(["second"]);
		run().end("completed");
	});

	it("says that the bridge is away, and that it is back", async () => {
		await using ui = await opened();
		await using page = await ui.page();
		const state = () => (page.seen.length > 0 ? page.state.bridge.state : undefined);
		await until("it is connected", () => state() === "connected");
		expect(page.state.bridge).toMatchObject({ own: false, capabilities: { contractVersion: 1 } });
		await ui.scene.bridge.down();
		await until("it is away", () => state() === "unreachable");
		expect(page.state.bridge.refusal).toMatchObject({ code: "ACP_HTTP_CONNECT_FAILED" });
		await ui.scene.bridge.listen();
		await until("it is back", () => state() === "connected");
		expect(page.state.bridge.refusal).toBeUndefined();
	});

	it("tells a bridge that does not let the app in from one that is away", async () => {
		await using ui = await opened();
		await using page = await ui.page();
		writeFileSync(join(ui.scene.home, "bridge", "token"), "the token of another bridge");
		await until("it is refused", () => page.seen.length > 0 && page.state.bridge.state === "refused");
		expect(page.state.bridge.refusal).toMatchObject({ code: "ACP_HTTP_401" });
		expect((await ui.call("testBridge")).result).toMatchObject({ state: "refused" });
	});

	it("shows a new name, a draft, the archive and a deletion", async () => {
		await using ui = await opened();
		await using page = await ui.page();
		const { threadId } = await ui.scene.send("first words");
		await until("it is over", () => page.seen.length > 0 && page.state.threads[0]?.lifecycleStatus === "ready");
		const [before] = page.state.threads;
		await ui.call("renameThread", { threadId, title: "A better name" });
		await ui.call("saveDraft", { threadId, draft: { prompt: "half a thou" } });
		await until("name and draft show", () => page.state.threads[0]?.title === "A better name" && page.state.threads[0].hasDraft);
		expect(page.state.threads[0]?.updatedAt).toBe(before?.updatedAt);
		expect(await ui.call("readThread", { threadId })).toMatchObject({ result: { draft: { prompt: "half a thou" } } });
		await ui.call("archiveThread", { threadId });
		await until("it is archived", () => page.state.threads[0]?.lifecycleStatus === "archived");
		await ui.call("deleteThread", { threadId });
		await until("it is gone", () => page.state.threads.length === 0);
		expect(await ui.call("readThread", { threadId })).toMatchObject({ status: 404, error: { code: "THREAD_NOT_FOUND" } });
	});

	it("shows where turns stand that wait in the OpenClaw queue", async () => {
		await using ui = await opened();
		const run = held(ui.scene.bridge);
		await using page = await ui.page();
		await ui.scene.sendToGateway("first");
		await until("the first runs", () => ui.scene.bridge.runs.length > 0);
		const second = await ui.scene.sendToGateway("second");
		const place = () => page.state.threads.find(({ threadId }) => threadId === second.threadId)?.gatewayQueue;
		await until("its place shows", () => page.seen.length > 0 && place()?.position === 1);
		expect(page.state.gatewayQueue).toMatchObject({ active: [{}], waiting: [{ threadId: second.threadId }] });
		run().end("completed");
		await until("it runs", () => ui.scene.bridge.runs.length > 1 && place() === undefined);
		run().end("completed");
	});

	it.each(["", "two\nlines", " padded", "x".repeat(201), "a\u0000b"])("refuses the name %j and keeps the one there is", async (title) => {
		await using ui = await opened();
		const { threadId } = await ui.scene.send("words");
		expect(await ui.call("renameThread", { threadId, title })).toMatchObject({ status: 400, error: { code: "INVALID_INPUT" } });
	});
});

describe("more pages than a browser has connections for", () => {
	it("take the place of the one that followed longest, which is told, and whose calls still get through", async () => {
		await using ui = await opened();
		const pages = [await ui.page(), await ui.page(), await ui.page(), await ui.page()];
		expect(await pages[0]?.parked).toBe(true);
		const newest = pages.slice(1);
		await until("the others have the state", () => newest.every((page) => page.seen.length > 0));
		const { threadId } = await ui.scene.send("who hears it?");
		await until("the others hear of it", () => newest.every((page) => page.state.threads[0]?.threadId === threadId));
		for (const page of pages) await page[Symbol.asyncDispose]();
		await using again = await ui.page();
		await until("its place is free", () => again.seen.length > 0);
	});
});

describe("what a page reads of a thread", () => {
	it("is all of it after a reload: turns with requests and snapshots, updates in pages, what is found by a word", async () => {
		await using ui = await opened();
		ui.scene.bridge.onRun = (run) => void run.text("one", "two", "three").end("completed", { "a.md": "a" });
		const sent = await ui.scene.send("find the needle in this");
		await ui.scene.end(sent);
		const { result } = await ui.call<{ turns: object[] }>("readThread", { threadId: sent.threadId });
		expect(result.turns).toMatchObject([
			{ turn: { status: "completed" }, request: { prompt: "find the needle in this" }, snapshot: { artifacts: { count: 1 } } },
		]);
		const page = await ui.call("readUpdates", { ...sent, afterSeq: 1, limit: 2 });
		expect(page.result).toMatchObject({ updates: [{ seq: 2 }, { seq: 3 }], more: true });
		expect((await ui.call("searchThreads", { text: "NEEDLE" })).result).toMatchObject({ threads: [{ threadId: sent.threadId }] });
		for (const text of ["100%_", "find%needle", "th_s"]) {
			expect((await ui.call("searchThreads", { text })).result).toEqual({ threads: [], isFull: false });
		}
		expect((await ui.get(fileRoute(sent.threadId, "run-1", "a.md", "inline"))).body).toBe("a");
	});

	it("ends with the page that followed it", async () => {
		await using ui = await opened();
		const page = await ui.page();
		await until("the state is there", () => page.seen.length > 0);
		await page[Symbol.asyncDispose]();
		await ui.scene.send("nobody looks");
		expect(ui.errors).toEqual([]);
	});
});
