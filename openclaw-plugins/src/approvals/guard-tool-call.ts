import { randomUUID } from "node:crypto";
import { isOpenClawEnd, OpenClawSessionKey } from "@xworkmate/contracts";
import { resolveScopeName } from "../context/turn-context.ts";
import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { actsBeyondScope } from "./classify-call.ts";
import { describeCall } from "./describe-call.ts";
import { isBelow, realTarget } from "./real-target.ts";
import { HeldToolCall } from "./tool-call.ts";
import { resolveNamedScope, writtenPaths } from "./written-paths.ts";

/** What the gateway does with a tool call; undefined = as it is. */
export type GuardDecision =
	| { readonly block: true; readonly blockReason: string }
	| { readonly params: Readonly<Record<string, unknown>> }
	| undefined;

export interface GuardOptions {
	readonly registry: RunRegistry;
	readonly desk: ApprovalDesk;
	readonly now: () => number;
}

/**
 * Decides a tool call in one of our sessions: the scope's name in a path becomes the scope, delivered files
 * stay as they are, and what acts beyond the scope waits for a person when the run was prepared so.
 * A session of ours without a run has nobody to ask; there, nothing acts.
 */
export async function guardToolCall(event: unknown, context: HookContext, options: GuardOptions): Promise<GuardDecision> {
	if (!OpenClawSessionKey.safeParse(context.sessionKey).success) return undefined;
	const read = HeldToolCall.safeParse(event);
	if (!read.success) return block("the tool call cannot be understood");
	const record = runOf(read.data, context, options.registry);
	const params = record && resolveNamedScope(read.data, (text) => resolveScopeName(text, record.artifactDirectory));
	const call = params === undefined ? read.data : { ...read.data, params };
	if (writesDelivered(call, options.registry))
		return block("delivered files stay as they are; write a changed one into this task's own directory");
	const refusal = await askIfNeeded(call, record, context, options);
	if (refusal !== undefined) return block(refusal);
	return params === undefined ? undefined : { params };
}

function runOf({ runId }: HeldToolCall, context: HookContext, registry: RunRegistry): RunRecord | undefined {
	const record = registry.find(runId ?? context.runId ?? "");
	return record?.sessionKey === context.sessionKey && record && !isOpenClawEnd(record.state) ? record : undefined;
}

/** The reason of a refusal, or undefined when the call may go on. */
async function askIfNeeded(
	call: HeldToolCall,
	record: RunRecord | undefined,
	{ sessionKey, abortSignal }: HookContext,
	{ registry, desk, now }: GuardOptions,
): Promise<string | undefined> {
	if (registry.holdOf(sessionKey ?? "") === "none") return undefined;
	const isInScope = (path: string) => record !== undefined && isBelow(realTarget(path) ?? "", record.artifactDirectory);
	if (!actsBeyondScope(call, isInScope)) return undefined;
	if (record === undefined) return "no run of this conversation is active, so nobody can be asked";
	if (record.cancelRequested) return "the run was stopped";
	const { allow, reason } = await desk.hold(describeCall(call, record, randomUUID(), now()), abortSignal);
	return allow ? undefined : (reason ?? "the person said no");
}

/** True when a file tool would write into the scope of a run that has ended. */
function writesDelivered(call: HeldToolCall, registry: RunRegistry): boolean {
	const targets = (writtenPaths(call) ?? []).map((path) => realTarget(path)).filter((path) => path !== undefined);
	if (targets.length === 0) return false;
	return registry
		.all()
		.some(({ state, artifactDirectory }) => isOpenClawEnd(state) && targets.some((path) => isBelow(path, artifactDirectory)));
}

function block(reason: string): GuardDecision {
	return { block: true, blockReason: `XWorkmate: ${reason}` };
}
