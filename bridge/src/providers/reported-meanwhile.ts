import { isOther, type KnownTool, swapOf } from "./known-tool.ts";

/**
 * Returns the call with what its agent, while the call runs, reports instead of what was allowed; unchanged if the call was not allowed.
 * The report is kept until the call ends, because the agent may give the call its allowed name again when it reports it as done. Pure.
 */
export function judgedMeanwhile(now: KnownTool): KnownTool {
	const { instead: earlier, ...rest } = now;
	const { allowed, state, command, statedKind, latestKind, input, unpermitted } = now;
	if (allowed === undefined) return now;
	// A change of files is compared only at the end: until then, it may be a part of what was allowed.
	const isOtherNow = state === "running" && isOther(allowed, { statedKind, latestKind, command, input, showsDiff: false });
	const kept = earlier === undefined || isBeginning(earlier.command, command) ? undefined : earlier;
	const swapped = isOtherNow ? swapOf(now, allowed) : undefined;
	const instead = kept ?? (swapped && { swapped, ...(command !== undefined && { command }) });
	const hasEnded = state === "completed" || state === "failed";
	return {
		...rest,
		...(instead && { instead }),
		...(instead !== undefined && hasEnded && unpermitted === undefined && { unpermitted: "another" }),
	};
}

/** True if a command equals a later one or may be its beginning, because agents report an input piece by piece. */
function isBeginning(command: string | undefined, later: string | undefined): boolean {
	return command !== undefined && later?.trim().startsWith(command.trim()) === true;
}
