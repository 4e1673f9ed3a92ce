import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isOpenClawEnd, OpenClawSessionKey, type RunId } from "@xworkmate/contracts";
import type { GatewayPlaces } from "../attribution/gateway-places.ts";
import { resolveScopeName } from "../context/turn-context.ts";
import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import { actsBeyondScope, readPath } from "../tools/classify-call.ts";
import { isBelow, realPlace, realTarget } from "../tools/real-target.ts";
import { HeldToolCall } from "../tools/tool-call.ts";
import { toolPaths } from "../tools/tool-path.ts";
import { resolveNamedScope, writtenPaths } from "../tools/written-paths.ts";
import { describeCall } from "./describe-call.ts";
import type { HeldToolCalls } from "./held-tool-calls.ts";
import { isOfOthers, scopeAt } from "./private-places.ts";

/** The plugin's decision about a tool call; undefined if the call goes ahead unchanged. */
export type GuardDecision =
	| { readonly block: true; readonly blockReason: string }
	| { readonly params: Readonly<Record<string, unknown>> }
	| undefined;

export interface GuardOptions {
	readonly registry: RunRegistry;
	readonly places: GatewayPlaces;
	/** The temporary folder of a run's commands. */
	readonly temporaryOf: (runId: RunId) => string;
	readonly heldCalls: HeldToolCalls;
	readonly now: () => number;
}

/**
 * Decides a tool call in one of our sessions. The placeholder of the scope in a path is replaced by the scope's path; files of other runs
 * are protected; a call that acts beyond the scope, or reads another conversation's files, waits for the user if the session's latest run
 * was prepared that way. If no run is active, there is no user to ask, so a call that would wait is denied.
 */
export async function guardToolCall(event: unknown, context: HookContext, options: GuardOptions): Promise<GuardDecision> {
	if (!OpenClawSessionKey.safeParse(context.sessionKey).success) return undefined;
	const read = HeldToolCall.safeParse(event);
	if (!read.success) return block("the tool call is malformed");
	const record = runOf(read.data, context, options.registry);
	const params = record && resolveNamedScope(read.data, (text) => resolveScopeName(text, record.artifactDirectory));
	const call = params === undefined ? read.data : { ...read.data, params };
	const refusal = writesIntoOthers(call, record, context, options.registry)
		? "files that were delivered, and files of other tasks, must not be changed; write the changed file into this task's own directory"
		: await askIfNeeded(call, record, context, options);
	if (refusal !== undefined) {
		if (record !== undefined && call.toolCallId !== undefined) options.registry.live(record.runId)?.refused.add(call.toolCallId);
		return block(refusal);
	}
	return params === undefined ? undefined : { params };
}

function runOf({ runId }: HeldToolCall, context: HookContext, registry: RunRegistry): RunRecord | undefined {
	const record = registry.find(runId ?? context.runId ?? "");
	return record?.sessionKey === context.sessionKey && record && !isOpenClawEnd(record.state) ? record : undefined;
}

/** The reason for a denial, or undefined if the call is allowed. */
async function askIfNeeded(
	call: HeldToolCall,
	record: RunRecord | undefined,
	context: HookContext,
	options: GuardOptions,
): Promise<string | undefined> {
	const { registry, heldCalls, now } = options;
	if (registry.holdOf(context.sessionKey ?? "") === "none") return undefined;
	const isInScope = (path: string) => record !== undefined && isBelow(realTarget(path) ?? "", record.artifactDirectory);
	if (!actsBeyondScope(call, isInScope) && !readsOthers(call, record, context, options)) return undefined;
	if (record === undefined) return "no run of this conversation is active, so there is no user to ask";
	if (record.cancelRequested) return "the run was stopped";
	const { allow, reason } = await heldCalls.hold(describeCall(call, record, randomUUID(), now()), context.abortSignal);
	return allow ? undefined : (reason ?? "the user denied it");
}

/** True if a file tool would write into another run's scope, or into the scope of a run that has ended. */
function writesIntoOthers(call: HeldToolCall, record: RunRecord | undefined, context: HookContext, registry: RunRegistry): boolean {
	const workspaces = workspacesOf(registry);
	return (writtenPaths(call) ?? [])
		.flatMap((path) => placesOf(path, record, context))
		.some((place) => {
			const found = place === undefined ? undefined : scopeAt(place, workspaces);
			return found !== undefined && join(found.workspace, found.scope) !== record?.artifactDirectory;
		});
}

/** True if a file tool would read another conversation's files, or if its target or the conversation's run cannot be determined. */
function readsOthers(call: HeldToolCall, record: RunRecord | undefined, context: HookContext, options: GuardOptions): boolean {
	const read = readPath(call);
	if (read === undefined) return false;
	const { registry, places, temporaryOf } = options;
	// After its run has ended, a conversation may still read its own files.
	const own = record ?? registry.all().findLast(({ sessionKey }) => sessionKey === context.sessionKey);
	if (own === undefined) return true;
	const facts = { places, ownTemporary: temporaryOf(own.runId), workspaces: workspacesOf(registry), isDeep: read.isDeep };
	return placesOf(read.path, own, context).some((place) => place === undefined || isOfOthers(place, own, facts));
}

/** The real paths that a path in a call may lead to. */
function placesOf(path: string, record: RunRecord | undefined, { workspaceDir }: HookContext): readonly (string | undefined)[] {
	const folders = new Set([workspaceDir, record?.workspaceDirectory].filter((folder) => folder !== undefined));
	return [...(folders.size === 0 ? ["/"] : folders)].flatMap((folder) => toolPaths(path, folder)).map(realPlace);
}

function workspacesOf(registry: RunRegistry): readonly string[] {
	return [...new Set(registry.all().map(({ workspaceDirectory }) => workspaceDirectory))];
}

function block(reason: string): GuardDecision {
	return { block: true, blockReason: `XWorkmate: ${reason}` };
}
