import type { Approval } from "@xworkmate/contracts";
import type { ListedApproval } from "../../../api/app-api.ts";
import { fill, words } from "../../../strings/interface.ts";
import { requestSubject } from "../../../text/calls/asked-view.ts";
import { commandWithOptions } from "../../../text/calls/granted-options.ts";
import { requestLimits } from "../../../text/calls/request-limits.ts";
import { wholeMinutes } from "../../../text/format-measure.ts";
import { localTime } from "../../../text/local-time.ts";
import { revealedLine } from "../../../text/printable.ts";
import { askedLines } from "./asked-lines.ts";

/** What `allow_window` would cover, as a label for its key; undefined if that is unknown, in which case it is not offered. */
export function offerWords(asked: Approval): string | undefined {
	const { grantScope, windowSeconds, options } = asked;
	if (grantScope === undefined || windowSeconds === undefined || !options.includes("allow_window")) return undefined;
	// A typed tool does not depend on the folder in which its run works.
	const span = `for ${wholeMinutes(windowSeconds)} min`;
	const where =
		grantScope.kind === "tool" ? `in this thread ${span}, or until the tool's code changes` : `in this thread and working folder ${span}`;
	return `${coveredWords(grantScope, asked)} ${where}`;
}

/** A grant in force: what it covers, until when, and for which agent and thread. */
export function grantLines(grant: ListedApproval): readonly string[] {
	const { approvalId, grantScope, decidedAt, windowSeconds = 0, title, revokedAt } = grant;
	const end = decidedAt === undefined ? "?" : localTime(new Date(Date.parse(decidedAt) + windowSeconds * 1000).toISOString(), Date.now());
	// The bridge lists such a grant only if it could not write the revocation.
	const until = revokedAt === undefined ? `until ${end}` : "revoked until the bridge restarts (revoke it again once there is space)";
	const what = grantScope === undefined ? revealedLine(title) : coveredWords(grantScope, grant);
	const isExact = grantScope?.kind === "command" || grantScope?.kind === "request";
	return [
		`${approvalId}  ${until}  ${what}${isExact ? `: ${revealedLine(requestSubject(grant))}` : ""}`,
		askerLine(grant),
		...(isExact ? askedLines(grant, requestSubject(grant)) : []),
	];
}

/** Which agent asks, where its run works, and for which thread. */
export function askerLine({ asker, threadId, threadTitle }: ListedApproval): string {
	const title = threadTitle === undefined ? "" : ` (${revealedLine(threadTitle, 60)})`;
	const thread = `thread ${revealedLine(threadId, 60)}${title}`;
	if (asker === undefined) return `  ${thread}`;
	const { providerId, target, workingDirectory } = asker;
	// A gateway that was given no folder chooses its own.
	const folder = workingDirectory === undefined ? target === "agent" && words.ask.ownFolder : revealedLine(workingDirectory, 300);
	return `  ${revealedLine(providerId)}${folder === false ? "" : ` in ${folder}`}, ${thread}`;
}

/**
 * How the answers that the agent accepts limit the user: which of them "Allow once" sends, whether allowing once is impossible, and
 * whether a denial can only be permanent.
 */
export function limitLines(approval: Approval): readonly string[] {
	const { asker } = approval;
	const name = asker === undefined ? "its agent" : revealedLine(asker.providerId);
	return requestLimits(approval, name, (text) => revealedLine(text, 200)).map((limit) => `  ${limit.replace(/^its agent/, "Its agent")}`);
}

/** Words for a request that was decided automatically, if the record says what decided it. */
export function automaticWords({ grant, decidedBy = "" }: Pick<Approval, "grant" | "decidedBy">): string | undefined {
	if (grant !== undefined)
		return fill(words.ask.byGrant, { minutes: wholeMinutes(grant.windowSeconds), time: localTime(grant.decidedAt, Date.now()) });
	if (decidedBy.startsWith("window:")) return words.ask.byOldGrant;
	return decidedBy.startsWith("configuration:") ? words.ask.bySettings : undefined;
}

function coveredWords(scope: NonNullable<Approval["grantScope"]>, approval: Approval): string {
	switch (scope.kind) {
		case "program":
			return `commands that start with "${revealedLine(scope.words.join(" "))}" (${optionWords(approval)})${titledWords(scope)}`;
		case "folder":
			return `edits in ${revealedLine(scope.path, 300)}`;
		case "command":
			return `this exact command${titledWords(scope)}`;
		case "request":
			return "this exact request";
		case "tool":
			return `calls to ${scope.toolId}`;
	}
}

function optionWords(approval: Approval): string {
	const command = commandWithOptions(approval);
	return command === undefined ? "no new options" : `with no options other than those of "${revealedLine(command)}"`;
}

/** Says which title the agent has to give to a covered command. Empty if the title is the command alone. */
function titledWords({ tool }: { readonly tool?: string | undefined }): string {
	return tool === undefined ? "" : ` (titled "${revealedLine(tool.trimEnd())}", followed by the command)`;
}
