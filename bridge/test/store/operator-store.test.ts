import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { OperatorPost } from "../../src/ports/operator-store.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";

const runId = RunId.parse("run-1");
const post: OperatorPost = { nonce: "n1", channel: "300", runId, kind: "answer", state: "intended", at: "2026-01-01T00:00:00.000Z" };

it("the threads and posts of an operator outlive the bridge", async () => {
	const folder = await mkdtemp(join(tmpdir(), "operator store "));
	try {
		const first = openSqliteStore(folder);
		await first.operators.setThread("300", ThreadId.parse("discord-300"));
		await first.operators.setThread("300", ThreadId.parse("discord-300-7"));
		await first.operators.savePost(post);
		await first.operators.savePost({ ...post, nonce: "n2", kind: "approval:apr-1" });
		expect(await first.operators.unfinishedPosts()).toHaveLength(2);
		await first.operators.savePost({ ...post, state: "sent", message: "1001" });
		await first.close();
		const second = openSqliteStore(folder);
		expect(await second.operators.channels()).toEqual(["300"]);
		expect(await second.operators.threadOf("300")).toBe("discord-300-7");
		expect(await second.operators.threadOf("301")).toBeUndefined();
		expect(await second.operators.post("n1")).toEqual({ ...post, state: "sent", message: "1001" });
		expect(await second.operators.post("n3")).toBeUndefined();
		expect((await second.operators.postsOf(runId)).map(({ kind }) => kind)).toEqual(["answer", "approval:apr-1"]);
		expect((await second.operators.unfinishedPosts()).map(({ nonce }) => nonce)).toEqual(["n2"]);
		await second.close();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
