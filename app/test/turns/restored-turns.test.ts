import { ContractError, type ErrorCode, type MethodName } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { BridgeClient } from "../../src/bridge-client/index.ts";
import { ThreadDeletion } from "../../src/threads/thread-deletion.ts";
import { timestamp } from "../../src/threads/thread-repository.ts";
import { holdRestored } from "../../src/turns/hold-restored.ts";
import { UnresolvedTurns } from "../../src/turns/unresolved-turns.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { lost, threadId } from "../support/thread-story.ts";

/** A turn that the bridge had not confirmed when the backup was made that has now been restored. */
function restored(ownBridge: boolean) {
	const threads = new StoredThreads();
	const { store, repository, home } = threads;
	threads.begin("one", "x", [], { ownBridge: true });
	threads.tell([{ ...lost("one"), at: timestamp() }]);
	holdRestored(store, repository);
	const calls: MethodName[] = [];
	const refuse = (code: ErrorCode): Pick<BridgeClient, "call"> => ({
		call: async (method) => {
			calls.push(method);
			throw new ContractError(code);
		},
	});
	const faults: unknown[] = [];
	const answered = async (code: ErrorCode) => {
		const client = refuse(code) as BridgeClient;
		const parts = {
			store,
			repository,
			bridgeUrl: ownBridge ? undefined : "http://127.0.0.1:1",
			takeUp: () => undefined,
			fault: (error: unknown) => void faults.push(error),
		};
		await new UnresolvedTurns({ ...parts, client }).ask();
		expect(faults).toEqual([]);
		return repository.get(threadId).turns[0];
	};
	const deletion = new ThreadDeletion({ home, store, repository, client: refuse("NOT_FOUND"), isElsewhere: () => false });
	return { answered, calls, deletion, [Symbol.dispose]: () => threads[Symbol.dispose]() };
}

it("says of a message that a restored bridge does not know that it may have been sent, not that it never arrived", async () => {
	using scene = restored(true);
	expect(await scene.answered("BRIDGE_STARTING")).toMatchObject({ status: "unresolved", resultDetail: { code: "STORE_RESTORED" } });
	expect(await scene.answered("NOT_FOUND")).toMatchObject({ status: "interrupted", resultDetail: { code: "STORE_RESTORED" } });
});

it("concludes nothing from another bridge's answer, and remembers the restore", async () => {
	using scene = restored(false);
	expect(await scene.answered("NOT_FOUND")).toMatchObject({ status: "unresolved", resultDetail: { code: "STORE_RESTORED" } });
});

it("deletes what the bridge may have of a message that was lost", async () => {
	using scene = restored(true);
	await scene.answered("NOT_FOUND");
	await scene.deletion.delete(threadId);
	expect(scene.calls).toEqual(["xworkmate.tasks.get", "xworkmate.threads.delete"]);
});
