import { omitUndefined } from "@xworkmate/contracts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { findTurn, type Thread, type TurnKey } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";

export interface RequestCancelParts {
	readonly repository: ThreadRepository;
	readonly client: Pick<BridgeClient, "call">;
}

/**
 * Records that a turn is to stop, with the time limit that requires it, if any. If the record cannot be written, the bridge is still asked
 * to stop the turn, because the turn's run may be what fills the disk. The call then fails, because without the record, the stop would not
 * be requested again.
 * @throws the store's error
 */
export async function requestCancel(
	{ repository, client }: RequestCancelParts,
	{ threadId, turnId }: TurnKey,
	stoppedAfterMs?: number,
): Promise<Thread> {
	try {
		return repository.execute(threadId, [{ type: "request_cancel", turnId, at: timestamp(), ...omitUndefined({ stoppedAfterMs }) }]);
	} catch (error) {
		const runId = findTurn(repository.get(threadId), turnId)?.runId;
		// The bridge may have the turn although the app could not save its run's id.
		const ref = runId === undefined ? { threadId, turnId } : { runId };
		// Whether the bridge can be reached makes no difference, because the call fails in any case.
		await client.call("xworkmate.tasks.cancel", ref).catch(() => undefined);
		throw error;
	}
}
