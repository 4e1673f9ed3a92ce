import type { Approval, ProviderId, ToolKind } from "@xworkmate/contracts";
import type { PermissionRequest } from "../providers/provider.ts";

/** What the person has allowed beforehand, by configuration. */
export interface ApprovalPolicy {
	/** Providers whose every request is allowed. */
	readonly allowProviders: ReadonlySet<ProviderId>;
	/** Exact command lines that are allowed. */
	readonly allowCommands: ReadonlySet<string>;
}

/** An earlier `allow_window` decision of the thread and the provider it was given to. */
export interface Window {
	readonly approval: Approval;
	readonly providerId: ProviderId;
}

/** Who allowed a request without asking the person again; undefined = ask. */
export function allowedBy(
	policy: ApprovalPolicy,
	windows: readonly Window[],
	providerId: ProviderId,
	request: PermissionRequest,
	now: number,
): string | undefined {
	if (!request.options.includes("allow_once")) return undefined;
	if (policy.allowProviders.has(providerId)) return "configuration:provider";
	if (request.command !== undefined && policy.allowCommands.has(request.command)) return "configuration:command";
	const open = windows.find((window) => window.providerId === providerId && covers(window.approval, request.toolKind, now));
	return open === undefined ? undefined : `window:${open.approval.approvalId}`;
}

/** A tool kind, being unreliable, only tightens: a window never reaches another kind than the one it was given for. */
function covers(approval: Approval, toolKind: ToolKind, now: number): boolean {
	if (approval.decision !== "allow_window" || approval.decidedAt === undefined || approval.windowSeconds === undefined) return false;
	return approval.toolKind === toolKind && now < Date.parse(approval.decidedAt) + approval.windowSeconds * 1000;
}
