import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder, ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openApp } from "../../src/core/open-app.ts";
import { AppHomeInUse } from "../../src/errors/app-error.ts";
import { CoreScene, held, routing, shownOf } from "../support/core-scene.ts";
import { sha256 } from "../support/fake-run.ts";
import { until } from "../support/until.ts";

/** A turn's row as another process would read it. */
function writtenTurn(scene: CoreScene, turnId: string): unknown {
	const db = new Database(join(scene.home, "app", "app.sqlite"), { readonly: true });
	try {
		return db.prepare("SELECT * FROM turns WHERE turn_id = ?").get(turnId);
	} finally {
		db.close();
	}
}

describe("a turn from the person's words to the files", () => {
	it("[T4-01] [T4-35] [T4-37] [T4-49] creates the thread, its folder, sends, shows, syncs, and is ready", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.text("hello").end("completed", { "report.md": "# hello", "a/b.txt": "b" });
		const sent = await scene.send("write a report");
		const events = await scene.events(sent);
		expect(shownOf(events)).toEqual(scene.bridge.runs[0]?.log);
		expect(events.slice(-2)).toMatchObject([
			{ type: "syncing", files: 2, totalBytes: 8 },
			{ type: "ended", turn: { status: "completed", resultCode: "success", syncStatus: "synced" }, thread: { lifecycleStatus: "ready" } },
		]);
		const folder = join(scene.home, "threads", sessionFolder(sent.threadId));
		expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("# hello");
		expect(readdirSync(folder).sort()).toEqual(["a", "report.md"]);
	});

	it("[T4-07] [T4-71] [T4-72] sends the contract's fields, the routing among them, to /acp/rpc and no other address", async () => {
		await using scene = await CoreScene.open();
		const sent = await scene.api.send({
			prompt: "do it",
			routing: { executionTarget: "gateway" },
			workingDirectory: "/srv/project",
			remoteWorkingDirectoryHint: "/remote/project",
			require: ["*.pdf"],
			attachments: [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }],
		});
		await scene.end(sent);
		expect(scene.bridge.calls[0]).toMatchObject({
			method: "session.start",
			params: {
				sessionId: sent.threadId,
				threadId: sent.threadId,
				turnId: sent.turnId,
				prompt: "do it",
				workingDirectory: "/srv/project",
				remoteWorkingDirectoryHint: "/remote/project",
				routing: { executionTarget: "gateway" },
				attachments: [{ name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a"), base64: "YQ==" }],
				metadata: { xworkmateTaskArtifactContract: { required: [{ glob: "*.pdf", minCount: 1 }], rejectTextOnlyClaims: true } },
			},
		});
	});

	it("[T4-76] [T4-77] keeps the person's own words in the transcript; the context goes out and stays nowhere", async () => {
		await using scene = await CoreScene.open();
		const prompt = "  first line\n\tsecond, with spaces  ";
		const sent = await scene.send(prompt);
		await scene.end(sent);
		const { prompts, thread } = await scene.api.showThread({ threadId: sent.threadId });
		expect(prompts).toEqual({ [sent.turnId]: prompt });
		expect(thread.title).toBe("first line");
		expect(scene.bridge.calls[0]?.params).toMatchObject({ prompt, workspaceContext: expect.stringContaining("sessionKey: ") });
		expect(writtenTurn(scene, sent.turnId)).toMatchObject({ prompt, workspace_context: null });
	});

	it("writes the turn before the bridge hears of it", async () => {
		await using scene = await CoreScene.open();
		let written: unknown;
		scene.bridge.onRun = (run) => {
			written = writtenTurn(scene, run.turnId);
			run.end("completed");
		};
		await scene.end(await scene.send("first to the disk"));
		expect(written).toMatchObject({ prompt: "first to the disk", status: "sending" });
	});

	it("[T4-04] [T4-36] [T4-78] continues a known thread with session.message, begins an unknown one by its own id", async () => {
		await using scene = await CoreScene.open();
		const threadId = ThreadId.parse("my thread");
		await scene.end(await scene.send("one", threadId));
		const second = await scene.send("two", threadId);
		await scene.end(second);
		// The app also asks what the bridge can do, whenever that is due.
		const turns = scene.bridge.calls.filter(({ method }) => method.startsWith("session."));
		expect(turns.map(({ method, params }) => [method, params.threadId])).toEqual([
			["session.start", "my thread"],
			["session.message", "my thread"],
		]);
		const { thread, prompts } = await scene.api.showThread({ threadId });
		expect(thread.turns.map((turn) => prompts[turn.turnId])).toEqual(["one", "two"]);
		expect(await scene.api.listThreads({ archived: false })).toMatchObject([{ threadId, lifecycleStatus: "ready" }]);
	});

	it("[T4-47] [T4-50] a failed run ends the turn with its code, and syncs nothing", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("artifact_missing", { "half.md": "half" }, "REQUIRED_ARTIFACT_MISSING");
		const sent = await scene.send("make a pdf");
		const { turn, thread, snapshot } = await scene.end(sent);
		expect(turn).toMatchObject({ status: "artifact_missing", resultCode: "artifact_missing", syncStatus: "failed", syncedPaths: [] });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultDetail: { code: "REQUIRED_ARTIFACT_MISSING" } });
		expect(snapshot?.artifacts.count).toBe(1);
		expect(scene.bridge.downloads).toEqual([]);
	});

	it("a second turn beside one under way is refused, and so are archiving and deleting", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const sent = await scene.send("one");
		await until("the run began", () => scene.bridge.runs.length > 0);
		const busy = { code: "THREAD_BUSY" };
		await expect(scene.send("two", sent.threadId)).rejects.toMatchObject(busy);
		await expect(scene.api.archiveThread({ threadId: sent.threadId })).rejects.toMatchObject(busy);
		await expect(scene.api.deleteThread({ threadId: sent.threadId })).rejects.toMatchObject(busy);
		run().end("completed");
		await scene.end(sent);
		expect(scene.bridge.runs).toHaveLength(1);
	});

	it.each([
		["an empty prompt", { prompt: " \n" }],
		["a glob with '..'", { require: ["../*.pdf"] }],
		["an attachment with a path for a name", { attachments: [{ name: "../a", mediaType: "text/plain", bytes: new Uint8Array() }] }],
	])("refuses %s before anything is written", async (_what, change) => {
		await using scene = await CoreScene.open();
		await expect(scene.api.send({ prompt: "x", routing, ...change })).rejects.toMatchObject({ code: "INVALID_INPUT" });
		expect(await scene.api.listThreads({ archived: false })).toEqual([]);
	});

	it("a refusal of the bridge is the turn's end", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.fault = () => ({ kind: "error", code: "PROVIDER_NOT_FOUND" });
		const { turn, snapshot } = await scene.end(await scene.send("x"));
		expect(turn).toMatchObject({ status: "refused", resultCode: "failed", resultDetail: { code: "PROVIDER_NOT_FOUND" } });
		expect(snapshot).toBeUndefined();
	});

	it("syncs what was partial again when it is asked to", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a", "b.txt": "b" });
		scene.bridge.onFile = (bytes, path) => (path === "b.txt" ? 404 : bytes);
		const sent = await scene.send("x");
		expect((await scene.end(sent)).thread).toMatchObject({ lastArtifactSyncStatus: "partial", lastTaskArtifactRelativePaths: ["a.txt"] });
		scene.bridge.onFile = (bytes) => bytes;
		const thread = await scene.api.sync({ threadId: sent.threadId });
		expect(thread).toMatchObject({
			lifecycleStatus: "ready",
			lastArtifactSyncStatus: "synced",
			lastTaskArtifactRelativePaths: ["a.txt", "b.txt"],
		});
	});
});

describe("watching", () => {
	it("replays after a seq, to any number of watchers, and to one that comes late", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		const watchers = [scene.events(sent), scene.events(sent)];
		await until("the run began", () => scene.bridge.runs.length > 0);
		run().text("b", "c").end("completed");
		for (const events of await Promise.all(watchers)) expect(shownOf(events)).toEqual(run().log);
		expect(shownOf(await scene.events(sent, 3))).toEqual(run().log.slice(3));
	});

	it("may be left while nothing happens", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		const watch = scene.api.watch(sent)[Symbol.asyncIterator]();
		await until("the first updates were seen", async () => {
			const { value } = await watch.next();
			return value?.type === "update" && value.update.seq === 2;
		});
		const waiting = watch.next();
		await watch.return?.();
		expect(await waiting).toMatchObject({ done: true });
		run().end("completed");
		await scene.end(sent);
	});

	it("tells of a lost connection and of its return", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		const watching = scene.events(sent);
		await until("the run began", () => scene.bridge.runs.length > 0);
		await until(
			"the handle is known",
			async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0]?.runId !== undefined,
		);
		await scene.bridge.down();
		await until("it was lost", () => scene.bridge.runs.length > 0);
		run().text("while nobody listened");
		await scene.bridge.listen();
		await until("it was restored", () => scene.bridge.countOf("xworkmate.tasks.subscribe") > 0);
		run().end("completed");
		const events = await watching;
		expect(events.map(({ type }) => type).filter((type) => type.startsWith("connection"))).toEqual([
			"connection_lost",
			"connection_restored",
		]);
		expect(shownOf(events)).toEqual(run().log);
	});

	it("refuses unknown threads and turns by name", async () => {
		await using scene = await CoreScene.open();
		const sent = await scene.send("x");
		await scene.end(sent);
		const { threadId, turnId } = { threadId: ThreadId.parse("nobody"), turnId: sent.turnId };
		expect(() => scene.api.watch({ threadId, turnId })).toThrow(expect.objectContaining({ code: "THREAD_NOT_FOUND" }));
		await expect(scene.api.showThread({ threadId })).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	});
});

describe("cancelling", () => {
	it("[T4-60] by turn: the bridge is asked, and the thread is ready when the snapshot says cancelled", async () => {
		await using scene = await CoreScene.open();
		held(scene.bridge);
		const sent = await scene.send("x");
		await until("the run began", () => scene.bridge.runs.length > 0);
		expect(await scene.api.cancelTurn(sent)).toEqual({ applied: true });
		expect(await scene.end(sent)).toMatchObject({
			turn: { status: "cancelled", resultCode: "aborted" },
			thread: { lifecycleStatus: "ready" },
		});
	});

	it("by run", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		await until(
			"the handle is known",
			async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0]?.runId !== undefined,
		);
		expect(await scene.api.cancel({ runId: run().runId })).toMatchObject({ status: "cancelled" });
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "cancelled" } });
	});

	it("a turn that had ended meanwhile says that the stop came too late", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("interrupted", {}, "BRIDGE_RESTARTED");
		const sent = await scene.send("x");
		const { turn } = await scene.end(sent);
		expect(await scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId })).toEqual({ applied: false });
		expect((await scene.api.showThread({ threadId: sent.threadId })).thread.turns).toEqual([turn]);
	});

	it("a turn that the bridge never had is over at once", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
		await scene.bridge.down();
		const sent = await scene.send("x");
		await scene.api.cancelTurn(sent);
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "cancelled", resultCode: "aborted" } });
		await scene.bridge.listen();
		expect(scene.bridge.runs).toEqual([]);
	});
});

describe("deleting", () => {
	it("removes the bridge's runs, the folder and the record, and says what", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
		const sent = await scene.send("x");
		await scene.end(sent);
		const { folder } = await scene.api.showThread({ threadId: sent.threadId });
		expect(await scene.api.deleteThread({ threadId: sent.threadId })).toEqual({ deletedRuns: 1, freedBytes: 12, folder });
		expect(existsSync(folder)).toBe(false);
		await expect(scene.api.showThread({ threadId: sent.threadId })).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	});

	it("deletes nothing here when the bridge cannot", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
		const sent = await scene.send("x");
		await scene.end(sent);
		await scene.bridge.down();
		await expect(scene.api.deleteThread({ threadId: sent.threadId })).rejects.toMatchObject({ code: "ACP_HTTP_CONNECT_FAILED" });
		const { folder } = await scene.api.showThread({ threadId: sent.threadId });
		expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a");
	});
});

it("[T4-03] one core owns a home", async () => {
	await using scene = await CoreScene.open();
	expect(() => openApp({ home: scene.home })).toThrow(AppHomeInUse);
});
