const MIB = 2 ** 20;

/** Limits of one program. Their names say whether they are milliseconds, bytes or counts. */
export interface ScriptLimits {
	/** Total time of the program, including waits. */
	readonly timeMs: number;
	/** Memory of the program only, without the buffers that pass its texts to the bridge. */
	readonly memoryBytes: number;
	readonly toolCalls: number;
	readonly consoleLines: number;
	/** Total of all writes of the program. */
	readonly writtenBytes: number;
	/** Total of the console output and the returned value. */
	readonly outputBytes: number;
	/** Total size of the texts in one message that enters or leaves the program. */
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

/** `limitMessage` adds the limit's name, so that logs can be searched for it. */
const REACHED: Readonly<Record<keyof ScriptLimits, (limit: number) => string>> = {
	timeMs: (limit) => `The program ran longer than ${span(limit)}`,
	memoryBytes: (limit) => `The program used more than ${size(limit)} of memory`,
	toolCalls: (limit) => `The program made more than ${count(limit)} tool calls`,
	consoleLines: (limit) => `The program wrote more than ${count(limit)} lines to the console`,
	writtenBytes: (limit) => `The program wrote more than ${size(limit)} of files`,
	outputBytes: (limit) => `The program's console output and result are larger than ${size(limit)} in total`,
	callBytes: (limit) => `One of the program's calls passed more than ${size(limit)}`,
	callMembers: (limit) => `One of the program's calls passed more than ${count(limit)} entries`,
	readBytes: (limit) => `The program read more than ${size(limit)} at once`,
	programBytes: (limit) => `The program is longer than ${size(limit)}`,
};

/** Which limit ended a run, and its value. */
export function limitMessage(limit: keyof ScriptLimits, limits: ScriptLimits): string {
	return `${REACHED[limit](limits[limit])} (${limit}).`;
}

/** Says which limit of the type checker was reached. */
export function checkLimitMessage(check: { readonly valueMs: number } | { readonly valueBytes: number }): string {
	return "valueMs" in check
		? `Checking the program's types took longer than ${span(check.valueMs)}.`
		: `Checking the program's types needed more than ${size(check.valueBytes)} of memory.`;
}

const count = (number: number): string => number.toLocaleString("en");

/** Formats a size in powers of 1000: "134 MB", "4.2 MB". */
function size(bytes: number): string {
	const [unit, name] = bytes >= 1e6 ? ([1e6, "MB"] as const) : bytes >= 1e3 ? ([1e3, "kB"] as const) : ([1, "bytes"] as const);
	const value = bytes / unit;
	return `${value < 100 ? Number(value.toFixed(1)) : Math.round(value)} ${name}`;
}

function span(ms: number): string {
	return ms >= 60_000 ? `${Number((ms / 60_000).toFixed(1))} min` : `${Number((ms / 1000).toFixed(1))} s`;
}
