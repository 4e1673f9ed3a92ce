const MIB = 2 ** 20;

/** Bounds of one script turn. Milliseconds, bytes or counts, as named. */
export interface ScriptLimits {
	/** From the first statement to the last, waits included. */
	readonly timeMs: number;
	/** At least 3 * callBytes + 1 MiB: the buffer between program and bridge counts. */
	readonly memoryBytes: number;
	readonly toolCalls: number;
	readonly consoleLines: number;
	/** All writes of the turn together. */
	readonly writtenBytes: number;
	/** Console and returned value together. */
	readonly outputBytes: number;
	/** One text that enters or leaves the program. */
	readonly callBytes: number;
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
	readBytes: "bytes of one read (readBytes)",
	programBytes: "bytes of the program (programBytes)",
};

/** Which limit ended a run, and what it is. */
export function limitMessage(limit: keyof ScriptLimits, limits: ScriptLimits): string {
	return `The limit on ${NAMES[limit]} was reached: ${limits[limit]}.`;
}
