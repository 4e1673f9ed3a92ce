import type { ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { Core } from "./core-fixture.ts";
import { deliver } from "./plays.ts";

describe("deleting a thread", () => {
	it("is refused while its changes are being written, which no turn interrupts", async () => {
		await using core = await Core.open(deliver({ "a.txt": "four" }));
		const threadId = "thread" as ThreadId;
		await core.settled(await core.submit("t1"));
		{
			using _edit = core.runs.lockThread(threadId, "The thread's changes are still being written.");
			const busy = { code: "THREAD_BUSY", detail: "The thread's changes are still being written." };
			await expect(core.service.deleteThread({ threadId })).rejects.toMatchObject(busy);
			await expect(core.submit("t2")).rejects.toMatchObject(busy);
		}
		expect(await core.service.deleteThread({ threadId })).toEqual({ deletedRuns: 1, freedBytes: 4 });
	});

	it("writes no changes once it has begun, and can be repeated after it failed", async () => {
		await using core = await Core.open(deliver({ "a.txt": "four" }));
		const threadId = "thread" as ThreadId;
		await core.settled(await core.submit("t1"));
		core.beforeRemove = () => {
			expect(() => core.runs.lockThread(threadId, "The thread's changes are still being written.")).toThrow(/being deleted/);
			return Promise.reject(new Error("no access"));
		};
		await expect(core.service.deleteThread({ threadId })).rejects.toThrow("no access");
		await expect(core.submit("t2")).rejects.toMatchObject({ code: "THREAD_BUSY", fix: expect.stringContaining("delete it again") });
		core.beforeRemove = async () => undefined;
		await core.service.deleteThread({ threadId });
		expect(await core.settled(await core.submit("t2"))).toMatchObject({ status: "completed" });
	});
});
