import { RunId, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { OperatorPost } from "../../../src/ports/operator-store.ts";
import type { OpenStore } from "./store-under-test.ts";

const runId = RunId.parse("run-1");
const post: OperatorPost = { nonce: "n1", channel: "300", runId, kind: "answer", state: "intended", at: "2026-01-01T00:00:00.000Z" };

export function operatorStoreContract(name: string, open: OpenStore): void {
	describe(`${name}: operators`, () => {
		it("keeps the threads and posts of an operator across a restart", async () => {
			await using store = await open();
			const { operators: first } = store.ports;
			await first.setThread("300", ThreadId.parse("discord-300"));
			await first.setThread("300", ThreadId.parse("discord-300-7"));
			await first.savePost(post);
			await first.savePost({ ...post, nonce: "n2", kind: "approval:apr-1" });
			expect(await first.unfinishedPosts()).toHaveLength(2);
			await first.savePost({ ...post, state: "sent", message: "1001" });
			const { operators: second } = await store.reopen();
			expect(await second.channels()).toEqual(["300"]);
			expect(await second.threadOf("300")).toBe("discord-300-7");
			expect(await second.threadOf("301")).toBeUndefined();
			expect(await second.post("n1")).toEqual({ ...post, state: "sent", message: "1001" });
			expect(await second.post("n3")).toBeUndefined();
			expect((await second.postsOf(runId)).map(({ kind }) => kind)).toEqual(["answer", "approval:apr-1"]);
			expect((await second.unfinishedPosts()).map(({ nonce }) => nonce)).toEqual(["n2"]);
		});
	});
}
