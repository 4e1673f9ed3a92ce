import { join } from "node:path";
import { ContractError, openArtifactContract, SessionId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { ArtifactDownload, BridgeClient } from "../../src/bridge-client/index.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { syncBounds } from "../../src/sync/index.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import { ThreadRepository } from "../../src/threads/thread-repository.ts";
import { ActiveTurns } from "../../src/turns/active-turns.ts";
import { TurnFeed } from "../../src/turns/turn-feed.ts";
import { AT } from "../support/fake-run.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { send, threadId, turnIdOf } from "../support/thread-story.ts";

const key = { threadId, turnId: turnIdOf("t1") };
const nowhere = () => Promise.reject(new Error("no bridge is called"));

/** A bridge elsewhere, which has no runs. */
class EmptyBridge extends BridgeClient {
	override call(): Promise<never> {
		return Promise.reject(new ContractError("NOT_FOUND"));
	}
}

it.each([
	[false, "cancelled"],
	[true, "unresolved"],
] as const)("a stopped message that failed here before it was sent, found by a later process: %s, is %s", async (resumed, status) => {
	using home = temporaryHome();
	using stack = new DisposableStack();
	const store = stack.adopt(new SqliteThreadStore(join(home.path, "app.sqlite")), (open) => open.close());
	const events = new AppEvents();
	const repository = new ThreadRepository(store, events);
	const feed = stack.adopt(new TurnFeed({ store, repository, events, files: { replaced: async () => ({}) } }), (open) => open.close());
	const request = { prompt: "do it", routing: { executionTarget: "agent" }, contract: openArtifactContract, attachments: [] } as const;
	const created = { request, submission: { workspaceContext: "", attachments: [] } };
	const create = { type: "create", threadId, sessionId: SessionId.parse(threadId), title: "", at: AT } as const;
	repository.execute(threadId, [create, send("t1")], { created });
	repository.execute(threadId, [{ type: "request_cancel", turnId: key.turnId, at: AT }]);
	const faults: unknown[] = [];
	const active = new ActiveTurns(
		{
			...{ home: home.path, repository, store, feed, client: new EmptyBridge(nowhere), bridgeUrl: "http://127.0.0.1:1" },
			source: new ArtifactDownload(nowhere, 1_000),
			bounds: { client: fastClient, sync: syncBounds },
			mayWait: async () => false,
			origin: () => {
				if (faults.length === 0) throw new Error("a fault of this machine");
				return undefined;
			},
			fetchFailed: () => undefined,
		},
		(error) => faults.push(error),
	);
	const ended = active.start(key, resumed);
	await active.cancel(key);
	await ended;
	expect(faults).toHaveLength(1);
	expect(repository.get(threadId).turns[0]?.status).toBe(status);
});
