import type { ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import type { Draft, DraftFile, ThreadDetail } from "../../src/api/ui-api.ts";
import { held } from "../support/core-scene.ts";
import { sha256 } from "../support/fake-run.ts";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

const routing = { executionTarget: "agent" } as const;
const MIB = 1024 * 1024;

async function opened() {
	const ui = await UiScene.open();
	await ui.signIn();
	const keep = (fileId: string, name: string, bytes: string | Buffer = name, threadId?: ThreadId) => {
		const file = { fileId, name, mediaType: "text/plain", base64: Buffer.from(bytes).toString("base64") };
		return ui.call<DraftFile>("keepDraftFile", { ...file, ...(threadId && { threadId }) });
	};
	const draftOf = async (threadId?: ThreadId): Promise<Draft | undefined> => {
		if (threadId !== undefined) return (await ui.call<ThreadDetail>("readThread", { threadId })).result.draft;
		await using page = await ui.page();
		await until("the state is there", () => page.seen.length > 0);
		return page.state.newDraft;
	};
	const names = async (threadId?: ThreadId) => (await draftOf(threadId))?.files?.map(({ name }) => name) ?? [];
	const lastSubmit = () => ui.scene.bridge.calls.findLast(({ method }) => method.startsWith("session."))?.params;
	return { ui, keep, draftOf, names, lastSubmit, [Symbol.asyncDispose]: () => ui[Symbol.asyncDispose]() };
}

describe("files attached to a draft", () => {
	it("outlive the app, and go with the message that is sent: each once, and then they are no draft's any more", async () => {
		await using scene = await opened();
		const { ui, keep, draftOf, lastSubmit } = scene;
		for (let time = 0; time < 2; time++)
			expect((await keep("file-one", "a.txt")).result).toEqual({
				...{ fileId: "file-one", name: "a.txt", mediaType: "text/plain", sizeBytes: 5, sha256: sha256("a.txt") },
			});
		await keep("file-two", "b.txt");
		await keep("file-three", "c.txt");
		await ui.call("dropDraftFile", { fileId: "file-two" });
		await ui.call("saveDraft", { draft: { prompt: "words", routing } });
		await ui.scene.restart();
		await ui.serve();
		await ui.signIn();
		expect(await draftOf()).toMatchObject({ prompt: "words", files: [{ name: "a.txt" }, { name: "c.txt" }] });
		const sent = await ui.call<SentTurn>("send", { prompt: "words", routing, draft: { files: ["file-one", "file-three"] } });
		await ui.scene.end(sent.result);
		const bytes = (name: string) => ({ name, base64: Buffer.from(name).toString("base64") });
		expect(lastSubmit()).toMatchObject({ prompt: "words", attachments: [bytes("a.txt"), bytes("c.txt")] });
		expect(await draftOf()).toBeUndefined();
	});

	it("wait with the message behind a run, and stay in the draft of a message that is refused", async () => {
		await using scene = await opened();
		const { ui, keep, draftOf, names, lastSubmit } = scene;
		const run = held(ui.scene.bridge);
		const { threadId } = await ui.scene.send("first");
		await until("it runs", () => ui.scene.bridge.runs.length === 1);
		await keep("file-one", "a.txt", "a", threadId);
		const message = { threadId, prompt: "second", routing, draft: { files: ["file-one"] } };
		expect(await ui.call("send", message)).toMatchObject({ error: { code: "THREAD_BUSY" } });
		expect(await ui.call("queueMessage", { ...message, prompt: " " })).toMatchObject({ error: { code: "INVALID_INPUT" } });
		expect(await names(threadId)).toEqual(["a.txt"]);
		expect((await ui.scene.api.readThread({ threadId })).queued).toEqual([]);
		await ui.call("queueMessage", message);
		expect(await draftOf(threadId)).toBeUndefined();
		run().end("completed");
		await until("it was sent", () => ui.scene.bridge.runs.length === 2);
		expect(lastSubmit()).toMatchObject({ prompt: "second", attachments: [{ name: "a.txt", base64: "YQ==" }] });
		run().end("completed");
	});

	it("are all there or nothing is sent", async () => {
		await using scene = await opened();
		const { ui, keep, names } = scene;
		await keep("file-one", "a.txt");
		const draft = { files: ["file-one", "another-one"] };
		expect(await ui.call("send", { prompt: "words", routing, draft })).toMatchObject({ error: { code: "ATTACHMENT_GONE" } });
		expect([ui.scene.submitted, await names()]).toEqual([[], ["a.txt"]]);
	});

	it("are of no more than a message takes, each under a name of its own", async () => {
		await using scene = await opened();
		const { ui, keep, names } = scene;
		const refused = (why: string) => ({ status: 400, error: { code: "ATTACHMENT_REFUSED", message: expect.stringContaining(why) } });
		expect(await keep("file-large", "large", Buffer.alloc(10 * MIB + 1))).toMatchObject(refused("larger than 10.5 MB"));
		expect(await keep("file-path", "../up")).toMatchObject(refused("name"));
		await keep("file-one", "one", Buffer.alloc(10 * MIB));
		await keep("file-two", "two", Buffer.alloc(10 * MIB));
		expect(await keep("file-three", "three", Buffer.alloc(5 * MIB + 1))).toMatchObject(
			refused("the attached files would total more than 26.2 MB"),
		);
		expect(await keep("file-again", "ONE", "x")).toMatchObject(refused("already attached"));
		expect(await names()).toEqual(["one", "two"]);
		await ui.call("dropDraftFile", { fileId: "file-one" });
		expect(await keep("file-again", "ONE", "x")).toMatchObject({ status: 200 });
	});

	it("may be those of an earlier message that are kept, without their bytes being sent again", async () => {
		await using scene = await opened();
		const { ui, names, lastSubmit } = scene;
		ui.scene.bridge.onRun = (run) => void run.end("failed", {}, "PROVIDER_ERROR");
		const attachments = [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==" }];
		const { result: first } = await ui.call<SentTurn>("send", { prompt: "first", routing, attachments });
		await ui.scene.end(first);
		const { threadId, turnId } = first;
		const again = { threadId, fileId: "file-one", name: "a.txt", again: turnId };
		expect(await ui.call("keepDraftFile", { ...again, name: "b.txt" })).toMatchObject({ error: { code: "ATTACHMENT_GONE" } });
		await ui.call("keepDraftFile", again);
		expect(await names(threadId)).toEqual(["a.txt"]);
		const second = await ui.call<SentTurn>("send", { threadId, prompt: "second", routing, draft: { files: ["file-one"] } });
		await ui.scene.end(second.result);
		expect(lastSubmit()).toMatchObject({ prompt: "second", attachments: [{ name: "a.txt", base64: "YQ==" }] });
	});
});
