import { describe, expect, it } from "vitest";
import type { ProviderUpdate } from "../../src/ports/runs/run-event.ts";
import { UpdateQueue } from "../../src/providers/update-queue.ts";

const piece = (text: string): ProviderUpdate => ({ kind: "message_delta", messageId: "m", text });

describe("the updates of a turn", () => {
	it("reach the log in order, also if one of them is completed late", async () => {
		const said: ProviderUpdate[] = [];
		const queue = new UpdateQueue({ emit: async (update) => void said.push(update) }, 2);
		const { promise: completed, resolve } = Promise.withResolvers<ProviderUpdate>();
		queue.push(piece("a"), () => completed);
		queue.push(piece("b"));
		expect(queue.full).toBe(true);
		resolve(piece("A"));
		await queue.ready();
		await queue.drained();
		expect(said).toEqual([piece("A"), piece("b")]);
	});

	it("end with the first failure, also of a completion, and leave no one waiting for room", async () => {
		const said: ProviderUpdate[] = [];
		const queue = new UpdateQueue({ emit: async (update) => void said.push(update) }, 2);
		queue.push(piece("a"), () => Promise.reject(new Error("the file is gone")));
		queue.push(piece("b"));
		await queue.ready();
		expect(await queue.failed).toBe("failed");
		expect(await queue.written()).toBe(false);
		await expect(queue.drained()).rejects.toThrow("the file is gone");
		expect(said).toEqual([]);
	});
});
