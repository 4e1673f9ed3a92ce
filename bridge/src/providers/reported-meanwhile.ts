import type { SwappedCommand } from "@xworkmate/contracts";
import { type Allowed, isOther, type KnownTool, swapOf } from "./known-tool.ts";

/**
 * If the agent of a running call reports something other than what was allowed, returns the call with that report in `instead`. A call that
 * was not allowed is returned unchanged. The report is kept until the call ends, because the agent may give the call its allowed name again
 * when it reports it as done. Pure.
 */
export function judgedMeanwhile(now: KnownTool): KnownTool {
	const { instead: earlier, ...rest } = now;
	const { allowed, state, command, unpermitted } = now;
	if (allowed === undefined) return now;
	const kept = earlier === undefined || isBeginning(earlier.command, command) ? undefined : earlier;
	const swapped = state === "running" ? swappedNow(now, allowed) : undefined;
	const instead = kept ?? (swapped && { swapped, ...(command !== undefined && { command }) });
	const hasEnded = state === "completed" || state === "failed";
	return {
		...rest,
		...(instead && { instead }),
		...(instead !== undefined && hasEnded && unpermitted === undefined && { unpermitted: "another" }),
	};
}

/** What an agent reports instead of what was allowed, of a call that it never reported as ended; undefined if that is nothing else. Pure. */
export function reportedInstead(now: KnownTool): SwappedCommand | undefined {
	const { allowed, instead } = now;
	return instead?.swapped ?? (allowed && swappedNow(now, allowed));
}

function swappedNow(now: KnownTool, allowed: Allowed): SwappedCommand | undefined {
	const { statedKind, latestKind, command, input } = now;
	// A change of files is compared only at the end: until then, it may be a part of what was allowed.
	return isOther(allowed, { statedKind, latestKind, command, input, showsDiff: false }) ? swapOf(now, allowed) : undefined;
}

/** True if a command equals a later one or may be its beginning, because agents report an input piece by piece. */
function isBeginning(command: string | undefined, later: string | undefined): boolean {
	return command !== undefined && later?.trim().startsWith(command.trim()) === true;
}
