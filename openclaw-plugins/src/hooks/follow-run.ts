import { errorMessage } from "@xworkmate/platform/errors";
import { noteReply } from "../attribution/note-evidence.ts";
import type { PluginCore } from "../core/plugin-core.ts";
import { readAgentEvent } from "../runs/agent-event.ts";
import type { RunEnd } from "../runs/run-change.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { GatewayWork, type WorkHost } from "../work/gateway-work.ts";

type Follower = Pick<PluginCore, "registry" | "ender" | "places">;

/** Updates a run's state from the gateway's own events; an event of another session with our run id is ignored. */
export function followRun(event: unknown, host: WorkHost, core: Follower): void {
	const { registry } = core;
	const read = readAgentEvent(event);
	if (read === undefined) return;
	const record = registry.find(read.runId);
	if (record === undefined) {
		// The event belongs to a run that is not ours, which may write to shared folders during our runs.
		registry.nobodyAlone();
		return;
	}
	if (read.sessionKey !== undefined && read.sessionKey !== record.sessionKey) return;
	const live = registry.live(record.runId);
	if (read.text !== undefined && live !== undefined) live.latestText = read.text;
	if (read.change === undefined) return;
	if (read.change.kind === "begun") {
		registry.change(record.runId, read.change);
		return;
	}
	endRun(record, read.change, host, core).catch((error: unknown) => {
		host.logger.error(`xworkmate: the end of run ${record.runId} could not be recorded: ${errorMessage(error)}`);
	});
}

async function endRun(record: RunRecord, end: RunEnd, host: WorkHost, { registry, ender, places }: Follower): Promise<void> {
	const ended = await ender.end(record, end, new GatewayWork(host));
	if (ended?.output !== undefined) noteReply(ended, ended.output.text, registry, places);
}
