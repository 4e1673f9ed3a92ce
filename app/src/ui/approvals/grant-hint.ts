import type { Approval, Asker, GrantScope } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";
import { namedCall } from "../../text/calls/asked-view.ts";
import { grantEnd } from "../../text/calls/grant-end.ts";
import { commandWithOptions } from "../../text/calls/granted-options.ts";
import { wholeMinutes } from "../../text/format-measure.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

/** The grant that a request offers, in the words of its button; undefined if the request offers none. */
export function grantOffer(asked: Approval): string | undefined {
	const { grantScope, windowSeconds, options } = asked;
	if (grantScope === undefined || windowSeconds === undefined || !options.includes("allow_window")) return undefined;
	const minutes = wholeMinutes(windowSeconds);
	return fill(words.ask.offer[grantScope.kind], { what: scopeName(grantScope), options: coveredOptions(asked), minutes });
}

/** Whole sentences that say what the grant covers and what it does not. */
export function grantCovers(scope: GrantScope, provider: string): string {
	const path = scope.kind === "folder" ? visibleName(scope.path) : "";
	// A request shows its whole command, of which the grant may cover only the first words.
	const start = scope.kind === "program" ? visibleName(scope.words.join(" ")) : "";
	const covers = fill(words.ask.covers[scope.kind], { what: scopeName(scope), start, path, provider });
	const tool = scope.kind === "program" || scope.kind === "command" ? scope.tool : undefined;
	return tool === undefined ? covers : `${covers} ${fill(words.ask.coversTitled, { tool: visibleName(tool.trimEnd()) })}`;
}

/**
 * The text of the chip of a grant in force: "Commands “npm test …” by Codex in /proj, allowed until 08:52". With `revokedAt`, the grant is
 * off, but only until the bridge restarts.
 */
export function grantHolds(grant: Approval, provider: string): string | undefined {
	const { grantScope, asker, revokedAt } = grant;
	const end = grantEnd(grant);
	if (grantScope === undefined || end === undefined) return undefined;
	const what = grantScope.kind === "command" || grantScope.kind === "request" ? visibleName(namedCall(grant).name) : scopeName(grantScope);
	const until = grantScope.kind === "tool" ? words.ask.holdsHereUntil : words.ask.holdsUntil;
	const by = asker === undefined ? "" : fill(words.ask.holdsBy, { provider: visibleName(provider) }) + grantPlace(asker);
	return fill(words.ask.holds[grantScope.kind], {
		what,
		options: coveredOptions(grant),
		by,
		until: revokedAt === undefined ? fill(until, { time: formatTime(new Date(end).toISOString()) }) : words.ask.revokedUntilRestart,
	});
}

/** The options that a grant for commands covers, which tell it apart from other grants for the same words; empty if there are none. */
function coveredOptions(approval: Approval): string {
	const command = commandWithOptions(approval);
	return command === undefined ? "" : fill(words.ask.withOptions, { command: visibleName(command) });
}

/** The folder that a grant applies to. Empty for a gateway that was given no folder, because such a gateway decides where it works. */
function grantPlace({ target, workingDirectory }: Asker): string {
	if (workingDirectory === undefined && target === "gateway") return "";
	return fill(words.ask.holdsIn, { folder: workingDirectory === undefined ? words.ask.ownFolder : visibleName(workingDirectory) });
}

/** "15-minute permission from 08:37": the grant that allowed a request. */
export function grantUsed({ decidedAt, windowSeconds }: NonNullable<Approval["grant"]>): string {
	return fill(words.ask.byGrant, { minutes: wholeMinutes(windowSeconds), time: formatTime(decidedAt) });
}

function scopeName(scope: GrantScope): string {
	switch (scope.kind) {
		case "program":
			return visibleName(`${scope.words.join(" ")} …`);
		case "folder":
			if (scope.inside === "") return words.ask.runFolder;
			return visibleName(scope.inside ?? scope.path);
		case "tool":
			return scope.toolId;
		case "command":
		case "request":
			return "";
	}
}
