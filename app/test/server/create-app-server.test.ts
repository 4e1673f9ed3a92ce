import { request as send } from "node:http";
import { SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import type { AppApi, TurnEvent } from "../../src/api/app-api.ts";
import { remoteApp } from "../../src/api/remote-app.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { createAppServer } from "../../src/server/create-app-server.ts";
import { DraftFileId, type Thread, type Turn } from "../../src/threads/index.ts";
import { fakeProcess } from "../support/fake-process.ts";

const token = "a-token-of-this-test";
const threadId = ThreadId.parse("t");
const turnId = TurnId.parse("u");

const at = "2026-01-01T00:00:00.000Z";
const turn: Turn = { turnId, status: "completed", lastSeq: 1, syncedPaths: [], createdAt: at };
const thread: Thread = {
	threadId,
	sessionId: SessionId.parse(threadId),
	title: "a thread",
	lifecycleStatus: "ready",
	lastTaskArtifactRelativePaths: [],
	turns: [turn],
	createdAt: at,
	updatedAt: at,
	deleted: false,
};

/** A core that answers what the test gives it; whatever else is asked is a defect. */
function coreOf(answers: Partial<AppApi>): AppApi {
	return new Proxy(answers, {
		get: (target, name) => Reflect.get(target, name) ?? (() => Promise.reject(new Error(`nobody expected ${String(name)}`))),
	}) as AppApi;
}

async function serve(answers: Partial<AppApi>) {
	const errors: unknown[] = [];
	const onUse = vi.fn();
	const server = createAppServer({ api: coreOf(answers), token, onError: (error) => errors.push(error), onUse, process: fakeProcess });
	const url = await server.app.listen({ host: "127.0.0.1", port: 0 });
	return { url, errors, onUse, server, [Symbol.asyncDispose]: () => server.app.close() };
}

function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const request = send(`${url}/api/ping`, { method: "POST", headers: { "content-type": "application/json", ...headers } }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		request.on("error", reject).end("{}");
	});
}

describe("the guard of the app's local API", () => {
	const authorization = `Bearer ${token}`;

	it("answers no preflight of a page elsewhere", async () => {
		await using app = await serve({});
		const headers = {
			origin: "http://evil.example",
			"access-control-request-method": "POST",
			"access-control-request-headers": "authorization",
		};
		const answer = await fetch(`${app.url}/api/ping`, { method: "OPTIONS", headers });
		expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: "FORBIDDEN_ORIGIN" } }]);
		expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
	});

	it("lets in who has the token, on this machine's names alone", async () => {
		await using app = await serve({});
		const { port } = new URL(app.url);
		expect(await status(app.url, { authorization })).toBe(200);
		expect(await status(app.url, { authorization, host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
	});

	it.each([
		["no token", {}],
		["a wrong token", { authorization: "Bearer another" }],
		["a longer token", { authorization: `Bearer ${token}x` }],
	])("refuses %s", async (_, headers) => {
		await using app = await serve({});
		expect(await status(app.url, headers)).toBe(401);
	});

	it.each([
		["a foreign Host", { authorization, host: "evil.example" }],
		["a foreign Origin", { authorization, origin: "http://evil.example" }],
		["an opaque Origin", { authorization, origin: "null" }],
	])("refuses %s, with the token too", async (_, headers) => {
		await using app = await serve({});
		expect(await status(app.url, headers)).toBe(403);
	});
});

describe("the app in another process", () => {
	it("gives the core's answers, and its refusals with code and fix", async () => {
		const refusal = new AppError("THREAD_BUSY", "a turn is not over", "Wait for its end.");
		await using app = await serve({ listThreads: async () => [], archiveThread: () => Promise.reject(refusal) });
		const remote = remoteApp(app.url, token);
		expect(await remote.listThreads({ archived: false })).toEqual([]);
		await expect(remote.archiveThread({ threadId })).rejects.toMatchObject({ code: "THREAD_BUSY", fix: "Wait for its end." });
	});

	it("keeps the words of a defect to itself", async () => {
		await using app = await serve({ capabilities: () => Promise.reject(new Error("secret words")) });
		await expect(remoteApp(app.url, token).capabilities()).rejects.toThrow(/^((?!secret).)*$/);
		expect(app.errors).toHaveLength(1);
	});

	it("refuses a parameter of the wrong form by name", async () => {
		await using app = await serve({});
		const remote = remoteApp(app.url, token);
		await expect(remote.tasks({ limit: -1 })).rejects.toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining("limit") });
	});

	it("refuses at the server what another client did not check", async () => {
		await using app = await serve({});
		const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
		const answer = await fetch(`${app.url}/api/tasks`, { method: "POST", headers, body: '{"limit":-1}' });
		expect([answer.status, await answer.json()]).toMatchObject([
			400,
			{ error: { code: "INVALID_INPUT", message: expect.stringMatching(/^Limit/i) } },
		]);
	});

	it("takes files over byte by byte, and gives nothing that was not given", async () => {
		const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
		const taken: unknown[] = [];
		const sent = { threadId, turnId };
		await using app = await serve({
			send: async (request) => {
				taken.push(request);
				return sent;
			},
			keepDraftFile: async (file) => {
				taken.push(file);
				return { fileId: file.fileId, name: file.name, mediaType: "text/plain", sizeBytes: 256, sha256: "0".repeat(64) };
			},
		});
		const remote = remoteApp(app.url, token);
		const file = { name: "all.bin", mediaType: "application/octet-stream", bytes };
		const request = { prompt: "read it", routing: { executionTarget: "agent" }, attachments: [file] } as const;
		const fileId = DraftFileId.parse("first-file");
		expect(await remote.send(request)).toEqual(sent);
		await remote.keepDraftFile({ fileId, ...file });
		await remote.keepDraftFile({ threadId, fileId, name: "a.txt", again: turnId });
		const arrived = { ...file, bytes: Buffer.from(bytes) };
		expect(taken).toEqual([
			{ ...request, attachments: [arrived] },
			{ fileId, ...arrived },
			{ threadId, fileId, name: "a.txt", again: turnId },
		]);
	});

	it("follows a turn to its end, and says when the app is gone before it", async () => {
		const lost: TurnEvent = { type: "connection_lost", code: "ACP_HTTP_CONNECTION_CLOSED" };
		const ended: TurnEvent = { type: "ended", thread, turn };
		await using app = await serve({
			watch: async function* ({ afterSeq }) {
				yield lost;
				if (afterSeq === 0) yield ended;
			},
		});
		const remote = remoteApp(app.url, token);
		const seen = await Array.fromAsync(remote.watch({ threadId, turnId }));
		expect(seen.map((event) => event.type)).toEqual(["connection_lost", "ended"]);
		await expect(Array.fromAsync(remote.watch({ threadId, turnId, afterSeq: 7 }))).rejects.toMatchObject({ code: "APP_GONE" });
	});

	it("that is about to end answers what it has begun, and nothing that arrives then", async () => {
		const gate = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		let calls = 0;
		await using app = await serve({
			gatewayQueue: async () => {
				calls++;
				begun.resolve();
				await gate.promise;
				return { limits: { maxActive: 1, maxQueued: 1 }, active: [], waiting: [] };
			},
		});
		const remote = remoteApp(app.url, token);
		const first = remote.gatewayQueue();
		await begun.promise;
		expect(app.onUse).toHaveBeenCalledOnce();
		expect(app.server.requests.quietMs).toBe(0);
		app.server.requests.areRefused = true;
		await expect(remote.gatewayQueue()).rejects.toMatchObject({ code: "APP_ENDING", isUnsent: true });
		const answered = app.server.requests.answered(5_000);
		gate.resolve();
		await answered;
		expect(await first).toMatchObject({ active: [] });
		expect(calls).toBe(1);
	});

	it("is idle once nobody watches", async () => {
		const gate = Promise.withResolvers<void>();
		await using app = await serve({
			watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => gate.promise.then(() => ({ done: true, value: undefined })) }) }),
		});
		const watching = Array.fromAsync(remoteApp(app.url, token).watch({ threadId, turnId })).catch(() => undefined);
		const idle = app.server.idle().then(() => "idle");
		gate.resolve();
		await watching;
		expect(await idle).toBe("idle");
	});
});
