import type { Activity, ActivityItem } from "./activity.ts";

/** A command that an agent reported, and how it last ended. */
export interface LastCommand {
	/** The command, or the agent's title if the command is not known. */
	readonly words: string;
	/** The command line, if it is known. */
	readonly command?: string | undefined;
	/** True if only the beginning of the command is known. */
	readonly isCut: boolean;
	readonly hasFailed: boolean;
}

/**
 * The commands that an agent reported as ended, each once, in the order in which they last ended. Calls with the same command line, or with
 * the same name if none is known, are the same command, unless only its beginning is known. A denied command did not run, so it neither
 * failed nor succeeded. Pure.
 */
export function lastCommands(activity: Pick<Activity, "items"> | undefined): readonly LastCommand[] {
	return lastEnds(activity?.items ?? []).map(({ status, words, command, commandTruncated: isCut = false }) => {
		return { words, command, isCut, hasFailed: status === "failed" };
	});
}

/** The call of each command that ended last, in the order in which these ended (see `lastCommands`). Pure. */
export function lastEnds(items: readonly ActivityItem[]): readonly ActivityItem[] {
	const last = new Map<unknown, ActivityItem>();
	const ended = items.filter(({ origin, toolId }) => origin === "reported" && toolId.endsWith(":execute"));
	// Calls are listed in the order in which they began, but may have ended in a different order.
	for (const item of ended.toSorted((one, other) => (one.when < other.when ? -1 : one.when > other.when ? 1 : 0))) {
		const { status, code, words, command, commandTruncated: isCut = false } = item;
		if (status !== "succeeded" && (status !== "failed" || code === "DENIED")) continue;
		const key = isCut ? item : (command ?? words);
		last.delete(key);
		last.set(key, item);
	}
	return [...last.values()];
}

/** The commands that an agent reported as failed and has not since reported as successful. Pure. */
export function failedCommandsIn(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	return lastCommands(activity).flatMap(({ words, hasFailed }) => (hasFailed ? [words] : []));
}
