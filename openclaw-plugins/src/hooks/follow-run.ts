import { readAgentEvent } from "../runs/agent-event.ts";
import type { RunRegistry } from "../runs/run-registry.ts";

/** Keeps a run's state by the gateway's own events; another session's event with our run id is not ours. */
export function followRun(event: unknown, registry: RunRegistry): void {
	const read = readAgentEvent(event);
	const record = read && registry.find(read.runId);
	if (read === undefined || record === undefined) return;
	if (read.sessionKey !== undefined && read.sessionKey !== record.sessionKey) return;
	const live = registry.live(record.runId);
	if (read.text !== undefined && live !== undefined) live.latestText = read.text;
	if (read.change !== undefined) registry.change(record.runId, read.change);
}
