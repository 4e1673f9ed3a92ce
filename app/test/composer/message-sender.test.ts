import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import type { BridgeClient } from "../../src/bridge-client/index.ts";
import { MessageSender } from "../../src/composer/message-sender.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { type Admission, DraftFileId, type TurnKey } from "../../src/threads/index.ts";
import { ThreadDeletion } from "../../src/threads/thread-deletion.ts";
import { threadFolder } from "../../src/workspace/index.ts";
import { AT, sha256 } from "../support/fake-run.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { create, threadId, turnIdOf } from "../support/thread-story.ts";

const routing = { executionTarget: "agent" } as const;

function open(admission: Admission = "run") {
	const threads = new StoredThreads();
	const begun: TurnKey[] = [];
	const { home, store, repository } = threads;
	const client = { call: () => Promise.reject(new Error("the bridge is not asked")) } as Pick<BridgeClient, "call">;
	const deletion = new ThreadDeletion({ home, store, repository, client, isElsewhere: () => false });
	const background = {
		partials: { leave: async () => undefined },
		active: {
			start: async (key: TurnKey) => {
				// The turn is on the disk before it begins.
				if (store.turnRecord(key) !== undefined) begun.push(key);
			},
		},
		gatewayQueue: { admit: () => admission },
	};
	const sender = new MessageSender({ home, bridgeUrl: undefined, store, repository, deletion, background });
	return { threads, begun, sender, [Symbol.dispose]: () => threads[Symbol.dispose]() };
}

it("writes the turn before it begins, in a thread of its own when none is named", async () => {
	using scene = open();
	const sent = await scene.sender.send({ prompt: "do it\nwell", routing });
	expect(scene.begun).toEqual([sent]);
	expect(scene.threads.repository.get(sent.threadId)).toMatchObject({ title: "do it", pendingTurnId: sent.turnId });
});

it("asks the queue about turns for OpenClaw alone", async () => {
	using scene = open("wait");
	const here = await scene.sender.send({ prompt: "here", routing });
	const there = await scene.sender.send({ prompt: "there", routing: { executionTarget: "gateway" } });
	expect(scene.begun).toEqual([here]);
	expect(scene.threads.repository.get(there.threadId)).toMatchObject({ lifecycleStatus: "queued" });
});

const namesakes = ["Data.csv", "data.csv"].map((name) => ({ name, mediaType: "text/csv", bytes: Buffer.from("x") }));

it.each([
	["INVALID_INPUT", { prompt: "do it", require: ["../outside"] }],
	["INVALID_INPUT", { prompt: "do it", attachments: namesakes }],
	["THREAD_NOT_FOUND", { prompt: "do it", continues: true }],
	["ATTACHMENT_GONE", { prompt: "do it", attachAgain: [{ turnId: turnIdOf("never"), names: ["a.txt"] }] }],
	["ATTACHMENT_GONE", { prompt: "do it", draft: { files: [DraftFileId.parse("never-kept")] } }],
] as const)("makes nothing for a message that is refused: %s", async (code, request) => {
	using scene = open();
	const refusal = await scene.sender.send({ threadId, routing, ...request }).catch((error: unknown) => error);
	expect(refusal).toBeInstanceOf(AppError);
	expect(refusal).toMatchObject({ code });
	expect([scene.begun, scene.threads.repository.find(threadId), existsSync(threadFolder(scene.threads.home, threadId))]).toEqual([
		[],
		undefined,
		false,
	]);
});

it("starts no thread anew under the id of a deleted one", async () => {
	using scene = open();
	scene.threads.tell([create]);
	scene.threads.repository.delete(threadId);
	await expect(scene.sender.send({ threadId, prompt: "x", routing })).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
});

it("takes the draft's files along, and the draft is gone with the message", async () => {
	using scene = open();
	const { store } = scene.threads;
	scene.threads.tell([create]);
	const fileId = DraftFileId.parse("first-file");
	const file = { name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a"), bytes: Buffer.from("a") };
	store.surface.drafts.put(threadId, { prompt: "read it", updatedAt: AT });
	store.surface.drafts.addFile(threadId, fileId, file, AT);
	const sent = await scene.sender.send({ threadId, prompt: "read it", routing, draft: { files: [fileId] } });
	expect(store.submission(sent)?.attachments).toEqual([file]);
	expect(store.surface.drafts.get(threadId)).toBeUndefined();
});
