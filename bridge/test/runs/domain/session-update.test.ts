import { chained, emptyChain, SessionUpdate, ToolId } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LoggedEvent, RunEvent } from "../../../src/ports/runs/run-event.ts";
import { decide } from "../../../src/runs/domain/decide.ts";
import { apply, initialState } from "../../../src/runs/domain/run-state.ts";
import { sessionUpdate, updateAddress } from "../../../src/runs/domain/session-update.ts";
import { command, record } from "./arbitrary.ts";

const at = "2026-01-02T03:04:05.006Z";
const address = updateAddress(record);
const asked = { type: "tool.call.requested", origin: "executed", toolId: ToolId.parse("notes.note.add"), toolCallId: "call-1" } as const;
const receipt = chained(record.runId, emptyChain(record.runId), at, asked);
/** What a reader is shown of an event; the same while the event is in memory and once it is stored. */
const asShown = (logged: LoggedEvent): unknown => {
	const text = JSON.stringify(logged.event);
	const { event: _parsed, ...placed } = logged;
	const update = sessionUpdate(address, { ...placed, text });
	expect(sessionUpdate(address, logged)).toBe(update);
	expect(sessionUpdate(address, { ...logged, text })).toBe(update);
	return JSON.parse(update);
};
const shown = (event: RunEvent) => SessionUpdate.parse(asShown({ seq: 7, at, status: "running", event }));

it("carries the identity of its own run", () => {
	const { runId, threadId, sessionId, turnId, artifactScope } = record;
	expect(shown({ type: "accepted" })).toMatchObject({ runId, threadId, sessionId, turnId, artifactScope, seq: 7, at, status: "running" });
});

it.each<[RunEvent, object]>([
	[{ type: "accepted" }, { kind: "status", progress: { stage: "queued" } }],
	[
		{ type: "queue_moved", position: 2, length: 3 },
		{ kind: "status", progress: { stage: "queued", queuePosition: 2, queueLength: 3 } },
	],
	[
		{ type: "started", deadlineAt: at },
		{ kind: "status", progress: { stage: "starting" } },
	],
	[
		{ type: "progress", progress: { stage: "sealing", message: "m" } },
		{ kind: "status", progress: { stage: "sealing", message: "m" } },
	],
	[
		{ type: "said", update: { kind: "message_delta", messageId: "m", text: "t" } },
		{ kind: "message_delta", messageId: "m", text: "t" },
	],
	[{ type: "cancel_requested" }, { kind: "status", progress: { stage: "stopping" } }],
	[{ type: "deadline_moved", deadlineAt: at }, { kind: "status" }],
	[
		{ type: "provider_ended", outcome: { kind: "ended" } },
		{ kind: "status", progress: { stage: "collecting" } },
	],
	[
		{ type: "collected", artifacts: { ...initialState.artifacts, count: 3, totalBytes: 9, rejectedCount: 2 } },
		{ kind: "artifacts", count: 3, totalBytes: 9, rejected: 2 },
	],
	[{ type: "ended", status: "completed" }, { kind: "status" }],
	[
		{ type: "receipt", receipt },
		{ kind: "receipt", ...receipt },
	],
])("shows %j as one update", (event, update) => {
	expect(shown(event).update).toEqual(update);
});

it("shows every event of every run as an update of the contract", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 30, size: "max" }), (commands) => {
			let state = initialState;
			for (const next of commands) {
				for (const event of decide(state, next, Date.parse(at))) {
					const logged: LoggedEvent = { seq: state.lastSeq + 1, at, status: state.status, event };
					state = apply(state, logged);
					expect(SessionUpdate.safeParse(asShown(logged)).success).toBe(true);
				}
			}
		}),
	);
});
