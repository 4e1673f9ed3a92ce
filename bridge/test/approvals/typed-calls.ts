import {
	type Approval,
	hashOf,
	type IntegrationId,
	type Receipt,
	type RunId,
	type Sha256,
	type ToolCallId,
	type ToolId,
} from "@xworkmate/contracts";
import type { Clock } from "../../src/ports/clock.ts";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { RunLimits } from "../../src/ports/runs/run-limits.ts";
import type { CallQuestion, CallRequest } from "../../src/ports/tools/call-policy.ts";
import type { TypedTool } from "../../src/ports/tools/tool-hosts.ts";
import { LiveRun } from "../../src/runs/engine/live-run.ts";
import { Core } from "../runs/core-fixture.ts";
import { hang } from "../runs/plays.ts";

export const deleting: TypedTool = {
	toolId: "calendar.event.delete" as ToolId,
	integration: "calendar" as IntegrationId,
	method: "deleteEvent",
	risk: "destructive",
	toolHash: "a".repeat(64) as Sha256,
	isAccepted: true,
	isIdempotent: false,
	isKeyRead: false,
	mayWindow: true,
	timeoutMs: 1_000,
	secrets: [],
};

/** A core whose runs go on in the next bridge, as programs do: they hang, and the test makes their calls. */
export function openCore(limits: Partial<RunLimits> = {}, clock?: Clock): Promise<Core> {
	const tools = new Map([["calendar.deleteEvent", deleting]]);
	const toolCatalogue = async () => ({ registryHash: deleting.toolHash, tools, declarations: "" });
	return Core.open(hang, limits, { resumable: true, toolCatalogue }, undefined, clock);
}

export function liveRun(core: Core, runId: RunId): LiveRun {
	const run = core.service.live(runId);
	if (!(run instanceof LiveRun)) throw new Error("the run is not in memory");
	return run;
}

export async function startRun(core: Core, turn = "t1", overrides: Record<string, unknown> = {}): Promise<RunId> {
	const runId = await core.submit(turn, { sessionId: turn, threadId: turn, ...overrides });
	await core.until(runId, ({ event }) => event.type === "started");
	return runId;
}

export function callRequest(n: number, overrides: Partial<CallRequest> = {}): CallRequest {
	const input = overrides.input ?? { uid: `event-${n}` };
	return {
		toolCallId: `call-${n}` as ToolCallId,
		tool: deleting,
		words: `Delete event ${n}`,
		input,
		inputHash: hashOf(input),
		mayWindow: true,
		policyVersion: "rules-1",
		...overrides,
	};
}

/** The receipt with which a call begins. */
export function recordRequest(run: LiveRun, { toolCallId, tool, inputHash, words }: CallRequest): void {
	const { toolId, risk, toolHash } = tool;
	const type = "tool.call.requested";
	run.dispatch({
		type: "record",
		runId: run.runId,
		drafts: [{ type, origin: "executed", toolCallId, toolId, risk, inputHash, toolHash, words }],
	});
}

/** A call of a run, recorded and asked, as the gate does. */
export async function askedCall(core: Core, runId: RunId, n = 1, overrides: Partial<CallRequest> = {}): Promise<Approval> {
	const run = liveRun(core, runId);
	const request = callRequest(n, overrides);
	recordRequest(run, request);
	const asked = core.runs.broker.askCall(run, request);
	if (asked === undefined) throw new Error("the run is stopping");
	await run.durable();
	return asked;
}

export function question(core: Core, runId: RunId, overrides: Partial<CallQuestion> = {}): CallQuestion {
	return { run: liveRun(core, runId).record, tool: deleting, inputBytes: 20, ...overrides };
}

export async function trailOf(core: Core, runId: RunId): Promise<readonly Receipt[]> {
	const events = await core.service.log.read(runId, 0, 10_000);
	return receiptsIn(events);
}

export function receiptsIn(events: readonly LoggedEvent[]): readonly Receipt[] {
	return events.flatMap(({ event }) => (event.type === "receipt" ? [event.receipt] : []));
}
