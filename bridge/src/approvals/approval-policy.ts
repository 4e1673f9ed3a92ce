import { isDeepStrictEqual } from "node:util";
import type { Approval, Asker, GrantScope, ProviderId } from "@xworkmate/contracts";
import type { PermissionRequest } from "../ports/agents/provider.ts";
import { addsNoOption } from "./program-words.ts";

/** What the user has allowed in advance, by configuration. */
export interface ApprovalPolicy {
	/** Providers whose requests are all allowed. */
	readonly allowProviders: ReadonlySet<ProviderId>;
	/** Exact command lines that are allowed. */
	readonly allowCommands: ReadonlySet<string>;
}

/** The part of an asker that a grant is bound to. */
export type GrantHolder = Omit<Asker, "target">;

/** An earlier `allow_window` decision in the thread, and its holder. */
export interface Grant {
	readonly approval: Approval;
	readonly asker: GrantHolder;
}

/** A request and the scope that a grant for it would have. If absent, the scope cannot be determined. */
export interface ScopedRequest {
	readonly request: PermissionRequest;
	readonly scope?: GrantScope | undefined;
}

/** What allowed a request without the user being asked: the configuration, or a grant. */
export type Allowed = { readonly by: "configuration:provider" | "configuration:command" } | { readonly by: Approval };

/** What allows the request without the user being asked. Undefined: ask the user. */
export function allowedBy(
	policy: ApprovalPolicy,
	grants: readonly Grant[],
	asker: GrantHolder,
	{ request, scope }: ScopedRequest,
	now: number,
): Allowed | undefined {
	if (!request.options.includes("allow_once")) return undefined;
	if (policy.allowProviders.has(asker.providerId)) return { by: "configuration:provider" };
	if (request.command !== undefined && policy.allowCommands.has(request.command)) return { by: "configuration:command" };
	const found = grants.find((grant) => isSame(grant.asker, asker) && covers(grant.approval, request, scope, now));
	return found === undefined ? undefined : { by: found.approval };
}

function isSame(one: GrantHolder, other: GrantHolder): boolean {
	return one.providerId === other.providerId && one.workingDirectory === other.workingDirectory;
}

/** True if the grant covers the request. A grant without a recorded scope was broader than its button said, so it covers nothing. */
function covers(approval: Approval, request: PermissionRequest, scope: GrantScope | undefined, now: number): boolean {
	const { toolKind, allowNames, command = "" } = request;
	if (scope === undefined || approval.grantScope === undefined || !holds(approval, now)) return false;
	// If the agent now has other names for its ways to allow the request, allowing it may mean something else.
	if (!isDeepStrictEqual(approval.allowNames, allowNames)) return false;
	if (approval.toolKind !== toolKind || !isDeepStrictEqual(approval.grantScope, scope)) return false;
	// The title of a request with this scope is the prefix for its tool and the whole command.
	return scope.kind !== "program" || addsNoOption(command, approval.title.slice(scope.tool?.length ?? 0));
}

/**
 * True for a grant that is neither expired nor revoked. A grant is also not in force while a clock that was set back shows a time before
 * the grant's decision.
 */
export function holds(approval: Approval, now: number): boolean {
	const { state, decision, decidedAt, windowSeconds, revokedAt } = approval;
	if (state !== "decided" || decision !== "allow_window" || revokedAt !== undefined) return false;
	if (decidedAt === undefined || windowSeconds === undefined) return false;
	const since = now - Date.parse(decidedAt);
	return since >= 0 && since < windowSeconds * 1000;
}
