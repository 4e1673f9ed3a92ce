import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import type { QueuedMessage, RunLog, ThreadDetail } from "../../src/api/ui-api.ts";
import { runLogRoute } from "../../src/api/ui-routes.ts";
import { listFolders } from "../../src/files/list-folders.ts";
import { queued } from "../support/queued-thread.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

const routing = { executionTarget: "agent" } as const;

describe("messages behind a turn", () => {
	it("are edited, put into another order and dropped while they wait, and sent one after the other's success", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail, waiting } = await queued(ui, "second", "third", "fourth");
		const ids = (await detail()).queued.map(({ queuedId }) => queuedId);
		await ui.call("editQueued", { threadId, queuedId: ids[1], change: { prompt: "third, better" } });
		await ui.call("dropQueued", { threadId, queuedId: ids[2] });
		const { result } = await ui.call<QueuedMessage[]>("moveQueued", { threadId, queuedId: ids[1], position: 0 });
		expect(result.map(({ prompt }) => prompt)).toEqual(["third, better", "second"]);
		run().end("completed");
		await until("the next one runs", () => ui.scene.bridge.runs.length === 2);
		expect(await waiting()).toEqual(["second"]);
		run().end("completed");
		await until("the last one runs", () => ui.scene.bridge.runs.length === 3);
		run().end("completed");
		expect(ui.scene.submitted).toEqual(["first", "third, better", "second"]);
		expect(await ui.call("dropQueued", { threadId, queuedId: ids[0] })).toMatchObject({ status: 404, error: { code: "QUEUED_NOT_FOUND" } });
	});

	it("are held for the person when the turn before them did not succeed", async () => {
		await using ui = await UiScene.open();
		const { threadId, run, detail } = await queued(ui, "second");
		run().end("failed", {}, "PROVIDER_ERROR");
		await until("the turn is over", async () => (await detail()).thread.lifecycleStatus === "ready");
		expect(await detail()).toMatchObject({ queueHeld: true, queued: [{ prompt: "second" }] });
		expect(await ui.call("sendQueued", { threadId })).toMatchObject({ status: 200 });
		await until("it runs", () => ui.scene.bridge.runs.length === 2);
		expect(await detail()).toMatchObject({ queueHeld: false, queued: [] });
		run().end("completed");
	});

	it("survive a restart with their attachments, and are sent once", async () => {
		await using ui = await UiScene.open();
		const { threadId, run } = await queued(ui);
		const attachments = [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==" }];
		await ui.call("queueMessage", { threadId, prompt: "second", routing, attachments });
		await ui.scene.restart(() => void run().end("completed"));
		await until("it was sent", () => ui.scene.bridge.runs.length === 2);
		const submit = ui.scene.bridge.calls.findLast(({ method }) => method === "session.message");
		expect(submit?.params).toMatchObject({ prompt: "second", attachments: [{ name: "a.txt", base64: "YQ==" }] });
		run().end("completed");
		await until("all is over", async () => (await ui.scene.api.showThread({ threadId })).thread.lifecycleStatus === "ready");
		expect(ui.scene.submitted).toEqual(["first", "second"]);
	});

	it("one in a thread that is ready is sent at once", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const { threadId } = await ui.scene.send("first");
		await until("it is over", async () => (await ui.scene.api.showThread({ threadId })).thread.lifecycleStatus === "ready");
		expect(await ui.call("queueMessage", { threadId, prompt: "second", routing })).toMatchObject({
			result: { turnId: expect.any(String) },
		});
	});
});

describe("a message that is tried again", () => {
	it("goes whole, with its files and counts, and not at all without a file that is not kept", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const attachments = [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==" }];
		const require = [{ glob: "photos/*.jpg", minCount: 4 }];
		ui.scene.bridge.onRun = (run) => void run.end("failed", {}, "PROVIDER_ERROR");
		const { result: first } = await ui.call<SentTurn>("send", { prompt: "resize", routing, attachments, require });
		await ui.scene.end(first);
		const { result: detail } = await ui.call<ThreadDetail>("readThread", { threadId: first.threadId });
		expect(detail.turns[0]).toMatchObject({ keptAttachments: ["a.txt"], request: { contract: { required: require } } });
		const again = { threadId: first.threadId, prompt: "resize", routing, require };
		ui.scene.bridge.onRun = (run) => void run.end("completed");
		const second = await ui.call<SentTurn>("send", { ...again, attachAgain: [{ turnId: first.turnId, names: ["a.txt"] }] });
		const submit = ui.scene.bridge.calls.findLast(({ method }) => method === "session.message" || method === "session.start");
		expect(submit?.params).toMatchObject({
			prompt: "resize",
			attachments: [{ name: "a.txt", base64: "YQ==" }],
			metadata: { xworkmateTaskArtifactContract: { required: require } },
		});
		await ui.scene.end(second.result);
		for (const turnId of [first.turnId, second.result.turnId])
			expect(await ui.call("send", { ...again, attachAgain: [{ turnId, names: ["a.txt"] }] })).toMatchObject({
				error: { code: "ATTACHMENT_GONE", message: expect.stringContaining("a.txt") },
			});
		expect(ui.scene.submitted).toEqual(["resize", "resize"]);
		expect((await ui.call<string[]>("recentPrompts", {})).result).toEqual(["resize"]);
	});
});

describe("a draft", () => {
	it("is kept per thread and for a new one, and gone once it is empty", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		await ui.call("saveDraft", { draft: { prompt: "a new one", routing, require: ["*.pdf"] } });
		await using page = await ui.page();
		await until("the state is there", () => page.seen.length > 0);
		expect(page.state.newDraft).toMatchObject({ prompt: "a new one", routing, require: ["*.pdf"] });
		await ui.call("saveDraft", { draft: { prompt: "" } });
		await using later = await ui.page();
		await until("the state is there", () => later.seen.length > 0);
		expect(later.state.newDraft).toBeUndefined();
	});
});

describe("what could never be sent", () => {
	it("is refused at once, as a message that waits and as a draft, and what waits stays as it was", async () => {
		// The requests below keep the process busy, in which bridge and app are: the turn must not count as lost meanwhile.
		await using ui = await UiScene.open({ client: { recoveryMs: 60_000 } });
		const { threadId, run } = await queued(ui);
		const file = { name: "a.txt", mediaType: "text/plain", base64: "YQ==" };
		const message = { threadId, prompt: "second", routing: { executionTarget: "agent" } };
		const tooLong = "x".repeat(4 * 1024 * 1024 + 1);
		for (const more of [
			{ prompt: tooLong },
			{ prompt: " \n" },
			{ attachments: [{ ...file, name: "../a.txt" }] },
			{ attachments: [{ ...file, base64: Buffer.alloc(10 * 1024 * 1024 + 1).toString("base64") }] },
		])
			expect(await ui.call("queueMessage", { ...message, ...more })).toMatchObject({ status: 400, error: { code: "INVALID_INPUT" } });
		const { result } = await ui.call<{ queuedId: string }>("queueMessage", { ...message, attachments: [file] });
		const edited = await ui.call("editQueued", { threadId, queuedId: result.queuedId, change: { prompt: tooLong } });
		expect(edited).toMatchObject({ status: 400, error: { code: "INVALID_INPUT" } });
		expect(await ui.call("saveDraft", { draft: { prompt: tooLong } })).toMatchObject({ status: 400, error: { code: "INVALID_INPUT" } });
		expect((await ui.call("readThread", { threadId })).result).toMatchObject({ queued: [{ prompt: "second" }] });
		run().end("failed", {}, "PROVIDER_ERROR");
	});
});

describe("the bridge's log", () => {
	it("holds no secret, not even the second half of one where it is cut", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const secret = "a-token-for-tests";
		const file = join(ui.scene.home, "bridge", "bridge.log");
		const end = `\nsaid ${secret} twice\n`;
		writeFileSync(file, `${"x".repeat(100)}${secret}${"y".repeat(64 * 1024 - end.length - 8)}${end}`);
		const { result } = await ui.call<{ text: string; truncated: boolean }>("bridgeLog");
		expect(result).toEqual({ text: "said [redacted] twice", truncated: true });
		writeFileSync(file, `${secret}${"y".repeat(64 * 1024 - 8)}`);
		expect((await ui.call<{ text: string }>("bridgeLog")).result.text).toMatch(/^y+$/);
	});
});

describe("a run's log", () => {
	it("tells every hop in order, and hides secrets in the view and in the export", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const secret = "a-token-for-tests";
		ui.scene.bridge.onRun = (run) => {
			run.say({ kind: "thought_delta", messageId: "m0", text: `the key is sk-${"a".repeat(30)}` });
			run.text(`Authorization: Bearer abcdefghijkl and ${secret}`).asks("go", "deny").end("completed", { "a.md": "a" });
		};
		const sent = await ui.scene.send(`use api_key=verysecretvalue`);
		await ui.scene.end(sent);
		const { result } = await ui.call<RunLog>("runLog", sent);
		expect(result.entries.map(({ from, to, what }) => `${from}>${to} ${what}`)).toEqual([
			"app>app written",
			"app>bridge accepted",
			"bridge>agent status",
			"agent>bridge thought_delta",
			"agent>bridge message_delta",
			"app>bridge approval",
			"bridge>app status",
			"bridge>app ended",
			"sync>app synced",
		]);
		expect(result).toMatchObject({ providerId: "script" });
		expect(result.entries.filter(({ problem }) => problem)).toEqual([]);
		const { headers, body } = await ui.get(runLogRoute(sent.threadId, sent.turnId));
		expect(headers["content-disposition"]).toMatch(/^attachment; filename=.*turn-.*\.json/);
		expect(JSON.parse(body)).toMatchObject({ turn: { status: "completed" }, updates: [{ seq: 1 }, {}, {}, {}, { seq: 5 }] });
		for (const text of [JSON.stringify(result), body]) {
			for (const hidden of [secret, "sk-aaaa", "abcdefghijkl", "verysecretvalue"]) expect(text).not.toContain(hidden);
			expect(text).toContain("[redacted]");
		}
	});

	it("hides a secret that stands where a line is cut, or with something unseen between its letters", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const secret = "a-token-for-tests";
		ui.scene.bridge.onRun = (run) => void run.text(`${"x".repeat(290)} ${secret}`, `a-token\u001b[0m-for-\u0007tests`).end("completed");
		const sent = await ui.scene.send("talk");
		await ui.scene.end(sent);
		const shown = JSON.stringify((await ui.call<RunLog>("runLog", sent)).result);
		expect(shown).not.toMatch(/a-tok/);
		expect(shown).toContain("[redacted]");
	});

	it("of thousands of updates is exported whole", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const words = Array.from({ length: 1_203 }, (_, index) => `word ${index} `);
		ui.scene.bridge.onRun = (run) => void run.text(...words).end("completed");
		const sent = await ui.scene.send("talk");
		await ui.scene.end(sent);
		const { updates } = JSON.parse((await ui.get(runLogRoute(sent.threadId, sent.turnId))).body);
		expect(updates.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 1_205 }, (_, index) => index + 1));
	});

	it("of a turn that does not exist is refused", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		expect((await ui.get(runLogRoute("t", "u"))).status).toBe(404);
	});
});

describe("what the doctor says to a page", () => {
	it("names the machine and the bridge, and what is wrong when it is away", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		expect((await ui.call<{ about: string }[]>("doctor")).result.map(({ about }) => about)).toContain("gateway openclaw");
		expect(await ui.call("testProvider", { providerId: "openclaw" })).toMatchObject({
			status: 200,
			result: { provider: { available: true } },
		});
		expect(await ui.call("testProvider", { providerId: "nobody" })).toMatchObject({ error: { code: "PROVIDER_NOT_FOUND" } });
		await ui.scene.bridge.down();
		expect((await ui.call<object[]>("doctor")).result).toContainEqual(expect.objectContaining({ about: "bridge", state: "problem" }));
		expect(await ui.call("restartBridge")).toMatchObject({ status: 400, error: { code: "BRIDGE_NOT_OWN" } });
	});
});

describe("folders to choose a project from", () => {
	it("lie under the allowed roots; links, hidden ones and what lies outside are not shown", async () => {
		using home = temporaryHome();
		const root = join(home.path, "projects");
		for (const folder of ["one/inner", "two", ".hidden"]) mkdirSync(join(root, folder), { recursive: true });
		symlinkSync("/", join(root, "link"));
		expect(await listFolders([root])).toEqual([{ path: root, folders: ["one", "two"] }]);
		expect(await listFolders([root], join(root, "one"))).toEqual([{ path: join(root, "one"), parent: root, folders: ["inner"] }]);
		for (const path of ["/", home.path, join(root, "link"), `${root}/../`, "one", `${root}/one/../..`]) {
			await expect(listFolders([root], path)).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
		}
		await expect(listFolders([], root)).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
	});
});
