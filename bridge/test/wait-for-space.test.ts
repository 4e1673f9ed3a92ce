import { ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { BridgeStore } from "../src/store/bridge-store.ts";
import { openSqliteStore, StoreError } from "../src/store/sqlite/index.ts";
import { waitForSpace } from "../src/wait-for-space.ts";
import { runRecord } from "./store/contracts/run-fixture.ts";
import { scratchDirectory } from "./store/sqlite-store-under-test.ts";

/** A real store that has no space until it is told otherwise. */
function fullStore(store: BridgeStore) {
	const disk = { isFull: true, refused: 0 };
	const refuse = () => {
		if (!disk.isFull) return;
		disk.refused++;
		throw new StoreError("STORE_FULL", "the disk is full");
	};
	const processes: BridgeStore["processes"] = {
		...store.processes,
		add: async (entry) => {
			refuse();
			await store.processes.add(entry);
		},
		remove: async (pid) => {
			refuse();
			await store.processes.remove(pid);
		},
	};
	const sessions: BridgeStore["sessions"] = {
		...store.sessions,
		saveProviderSession: async (threadId, providerId, session) => {
			refuse();
			await store.sessions.saveProviderSession(threadId, providerId, session);
		},
	};
	return { disk, store: waitForSpace({ ...store, processes, sessions }) };
}

it("what a run writes beside its log waits for space and is written then; the end of an agent waits for nothing", async () => {
	await using scratch = await scratchDirectory();
	const real = openSqliteStore(scratch.path);
	const { disk, store } = fullStore(real);
	const { threadId, sessionId, createdAt } = runRecord("run-1");
	const agent = ProviderId.parse("codex");
	await real.sessions.insert({ threadId, sessionId, createdAt, closed: false });
	const session = { providerSessionId: "s-1", workingDirectory: "/w" };
	const writes = [
		store.processes.add({ pid: 1, startTime: "1", label: "agent" }),
		store.sessions.saveProviderSession(threadId, agent, session),
	];
	await store.processes.remove(1);
	expect(disk.refused).toBe(3);
	disk.isFull = false;
	await Promise.all(writes);
	expect(await store.processes.list()).toEqual([{ pid: 1, startTime: "1", label: "agent" }]);
	expect(await store.sessions.providerSession(threadId, agent)).toEqual(session);
	real.close();
});
