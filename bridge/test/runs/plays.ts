import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, RunId } from "@xworkmate/contracts";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import { type Core, ended, type Play, say, whenAborted } from "./core-fixture.ts";

export const stopping = (event: LoggedEvent) => event.event.type === "cancel_requested";
export const starting = (event: LoggedEvent) => event.event.type === "started";
export const working = (event: LoggedEvent) => event.event.type === "said";
export const asking = (event: LoggedEvent) => event.event.type === "approval";

export const speak: Play = async (_turn, sink) => {
	await say(sink, "done");
	return ended;
};
export const hang: Play = async (_turn, _sink, stop) => {
	await whenAborted(stop);
	return { kind: "cancelled", remote: false };
};

export function deliver(files: Readonly<Record<string, string>>): Play {
	return async ({ artifactDirectory }, sink) => {
		for (const [name, text] of Object.entries(files)) await writeFile(join(artifactDirectory, name), text);
		await say(sink, "done");
		return ended;
	};
}

export async function everyEvent(core: Core, runId: RunId): Promise<readonly LoggedEvent[]> {
	return core.service.log.read(runId, 0, 10_000);
}

export function asker(options: readonly ApprovalDecision[]): Play {
	return async (_turn, sink, stop) => {
		const request = { title: "write a file", toolKind: "edit", inputHash: "0".repeat(64), options } as const;
		const { decision } = await sink.requestPermission(request);
		if (stop.aborted) return { kind: "cancelled", remote: false };
		await say(sink, decision);
		return ended;
	};
}

export async function decide(core: Core, asked: LoggedEvent, decision: ApprovalDecision) {
	if (asked.event.type !== "approval") throw new Error("no approval was asked");
	return core.service.decideApproval(asked.event.record.approvalId, decision, "person");
}
