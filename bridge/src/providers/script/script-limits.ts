const MIB = 2 ** 20;

/** Bounds of one script turn. Milliseconds, bytes or counts, as named. */
export interface ScriptLimits {
	/** From the first statement to the last, waits included. */
	readonly timeMs: number;
	/** Of the program alone: what carries its texts to the bridge is not counted. */
	readonly memoryBytes: number;
	readonly toolCalls: number;
	readonly consoleLines: number;
	/** All writes of the turn together. */
	readonly writtenBytes: number;
	/** Console and returned value together. */
	readonly outputBytes: number;
	/** One text that enters or leaves the program. */
	readonly callBytes: number;
	/** Object entries and array elements of one call's input. */
	readonly callMembers: number;
	readonly readBytes: number;
	readonly programBytes: number;
}

export const defaultScriptLimits: ScriptLimits = {
	timeMs: 10 * 60_000,
	memoryBytes: 128 * MIB,
	toolCalls: 50_000,
	consoleLines: 50_000,
	writtenBytes: 256 * MIB,
	outputBytes: 4 * MIB,
	callBytes: 8 * MIB,
	callMembers: 10_000,
	readBytes: 1 * MIB,
	programBytes: 256 * 1024,
};

const NAMES: Readonly<Record<keyof ScriptLimits, string>> = {
	timeMs: "time (timeMs)",
	memoryBytes: "memory (memoryBytes)",
	toolCalls: "tool calls (toolCalls)",
	consoleLines: "console lines (consoleLines)",
	writtenBytes: "written bytes (writtenBytes)",
	outputBytes: "output bytes (outputBytes)",
	callBytes: "bytes of one call (callBytes)",
	callMembers: "members of one call (callMembers)",
	readBytes: "bytes of one read (readBytes)",
	programBytes: "bytes of the program (programBytes)",
};

/** Which limit ended a run, and what it is. */
export function limitMessage(limit: keyof ScriptLimits, limits: ScriptLimits): string {
	return `The limit on ${NAMES[limit]} was reached: ${limits[limit]}.`;
}
