import { ProviderId, SessionId, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../src/ports/runs/session-store.ts";
import { deleteThread } from "./delete-thread.ts";
import { time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

const session = (thread: string, id = thread): Session => ({
	threadId: ThreadId.parse(thread),
	sessionId: SessionId.parse(id),
	createdAt: time(1),
	closed: false,
});

export function sessionStoreContract(name: string, open: OpenStore): void {
	describe(`${name}: sessions`, () => {
		it("keeps a session, found by thread and by session, across a restart", async () => {
			await using store = await open();
			const one = session("thread-1", "session-1");
			expect(await store.ports.sessions.insert(one)).toEqual(one);
			const { sessions } = await store.reopen();
			expect(await sessions.findByThread(one.threadId)).toEqual(one);
			expect(await sessions.findBySession(one.sessionId)).toEqual(one);
			expect(await sessions.findByThread(ThreadId.parse("none"))).toBeUndefined();
			expect(await sessions.findBySession(SessionId.parse("none"))).toBeUndefined();
		});

		it("answers with what stands when the thread or the session is taken", async () => {
			await using store = await open();
			const { sessions } = store.ports;
			const one = session("thread-1", "session-1");
			await sessions.insert(one);
			expect(await sessions.insert(session("thread-1", "session-2"))).toEqual(one);
			expect(await sessions.insert(session("thread-2", "session-1"))).toEqual(one);
			expect(await sessions.findByThread(ThreadId.parse("thread-2"))).toBeUndefined();
		});

		it("closes, reopens and deletes", async () => {
			await using store = await open();
			const { sessions } = store.ports;
			const one = session("thread-1");
			await sessions.insert(one);
			await sessions.setClosed(one.threadId, true);
			expect((await sessions.findByThread(one.threadId))?.closed).toBe(true);
			await sessions.setClosed(one.threadId, false);
			expect((await sessions.findByThread(one.threadId))?.closed).toBe(false);
			await deleteThread(store.ports, one.threadId);
			expect(await sessions.findByThread(one.threadId)).toBeUndefined();
			await expect(sessions.setClosed(one.threadId, true)).rejects.toMatchObject({ code: "THREAD_UNKNOWN" });
		});

		it("remembers one conversation for each provider of a thread, until it is forgotten", async () => {
			await using store = await open();
			const { sessions } = store.ports;
			const { threadId } = await sessions.insert(session("thread-1"));
			const [goose, codex] = [ProviderId.parse("goose"), ProviderId.parse("codex")];
			const first = { providerSessionId: "p1", workingDirectory: "/srv/a" };
			const second = { providerSessionId: "p2", workingDirectory: "/srv/b" };
			await sessions.saveProviderSession(threadId, goose, first);
			await sessions.saveProviderSession(threadId, codex, first);
			await sessions.saveProviderSession(threadId, goose, second);
			await sessions.saveProviderSession(threadId, codex, undefined);
			const reopened = await store.reopen();
			expect(await reopened.sessions.providerSession(threadId, goose)).toEqual(second);
			expect(await reopened.sessions.providerSession(threadId, codex)).toBeUndefined();
		});

		it("forgets the conversations with their thread, and takes none for an unknown thread", async () => {
			await using store = await open();
			const { sessions } = store.ports;
			const { threadId } = await sessions.insert(session("thread-1"));
			const goose = ProviderId.parse("goose");
			const conversation = { providerSessionId: "p1", workingDirectory: "/srv/a" };
			await sessions.saveProviderSession(threadId, goose, conversation);
			await deleteThread(store.ports, threadId);
			await expect(sessions.saveProviderSession(threadId, goose, conversation)).rejects.toMatchObject({ code: "THREAD_UNKNOWN" });
			await sessions.insert(session("thread-1"));
			expect(await sessions.providerSession(threadId, goose)).toBeUndefined();
		});
	});
}
