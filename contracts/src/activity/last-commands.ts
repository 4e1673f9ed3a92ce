import type { Activity } from "./activity.ts";

/** A command that an agent reported, and how it ended the last time. */
export interface LastCommand {
	/** The command, or the agent's title if the command is not known. */
	readonly words: string;
	/** The command line, if it is known. */
	readonly command?: string | undefined;
	readonly hasFailed: boolean;
}

/**
 * The commands that an agent reported as ended, each once, in the order in which they last ended. Calls with the same command line, or with
 * the same name if none is known, are the same command. A denied command did not run, so it neither failed nor succeeded. Pure.
 */
export function lastCommands(activity: Pick<Activity, "items"> | undefined): readonly LastCommand[] {
	const last = new Map<string, LastCommand>();
	const ended = (activity?.items ?? []).filter(({ origin, toolId }) => origin === "reported" && toolId.endsWith(":execute"));
	// Calls are listed in the order in which they began, and may end in another.
	for (const { status, code, words, command } of ended.toSorted((one, other) =>
		one.when < other.when ? -1 : one.when > other.when ? 1 : 0,
	)) {
		if (status !== "succeeded" && (status !== "failed" || code === "DENIED")) continue;
		const key = command ?? words;
		last.delete(key);
		last.set(key, { words, command, hasFailed: status === "failed" });
	}
	return [...last.values()];
}

/** The commands that an agent reported as failed and has not since reported as successful. Pure. */
export function failedCommandsIn(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	return lastCommands(activity).flatMap(({ words, hasFailed }) => (hasFailed ? [words] : []));
}
