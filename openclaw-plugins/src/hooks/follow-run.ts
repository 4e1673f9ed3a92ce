import type { GatewayPlaces } from "../evidence/gateway-places.ts";
import { noteReply } from "../evidence/note-evidence.ts";
import { readAgentEvent } from "../runs/agent-event.ts";
import type { RunRegistry } from "../runs/run-registry.ts";

/** Keeps a run's state by the gateway's own events; another session's event with our run id is not ours. */
export function followRun(event: unknown, registry: RunRegistry, places: GatewayPlaces): void {
	const read = readAgentEvent(event);
	if (read === undefined) return;
	const record = registry.find(read.runId);
	if (record === undefined) {
		// Somebody else's run: what appears in shared folders meanwhile may be theirs.
		registry.nobodyAlone();
		return;
	}
	if (read.sessionKey !== undefined && read.sessionKey !== record.sessionKey) return;
	const live = registry.live(record.runId);
	if (read.text !== undefined && live !== undefined) live.latestText = read.text;
	if (read.change === undefined) return;
	const ended = registry.change(record.runId, read.change);
	if (read.change.kind === "ended" && ended?.output !== undefined) noteReply(ended, ended.output.text, registry, places);
}
