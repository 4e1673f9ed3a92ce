import type { ThreadId } from "@xworkmate/contracts";
import type { StorePorts } from "./store-under-test.ts";

/** Deletes a thread's records; returns how many runs it had. */
export async function deleteThread({ deletion }: StorePorts, threadId: ThreadId): Promise<number> {
	await deletion.hide(threadId);
	return await deletion.remove(threadId, async () => undefined);
}
