import { expect, it } from "vitest";
import type { Turn } from "../../../src/threads/domain/thread.ts";
import { emptyTurn, foldEvents, type TurnView } from "../../../src/ui/turn/turn-view.ts";
import { underWayHow } from "../../../src/ui/turn/under-way.ts";
import { ended, foldUpdates, stage, update } from "../stories.ts";

const turnOf = (status: Turn["status"]): Turn => ({ ...ended({}, undefined).turn, status });
const unsent = (status: Turn["status"]): Turn => {
	const { runId: _, ...turn } = turnOf(status);
	return turn;
};
const running = turnOf("running");
const queued = foldUpdates(emptyTurn, [update(1, { kind: "status", progress: { stage: "queued" } }, { status: "queued" })]);

it.each<[ReturnType<typeof underWayHow>, TurnView, Turn]>([
	["sending", emptyTurn, unsent("sending")],
	["queued", queued, turnOf("queued")],
	["queued", { ...emptyTurn, gatewayQueue: { position: 1, length: 2 } }, unsent("waiting")],
	["asking", foldUpdates(emptyTurn, [stage(1, "waiting_approval")]), running],
	["running", foldUpdates(emptyTurn, [stage(1, "working")]), running],
	["stopAsked", foldUpdates(emptyTurn, [stage(1, "stopping")]), { ...running, cancelRequestedAt: running.createdAt }],
	["stopping", foldUpdates(emptyTurn, [stage(1, "stopping")]), running],
	["saving", foldEvents(foldUpdates(emptyTurn, [stage(1, "sealing")]), [{ type: "syncing", files: 1, totalBytes: 2 }]), running],
])("an active turn is read aloud as %s", (how, view, turn) => {
	expect(underWayHow(view, turn)).toBe(how);
});
