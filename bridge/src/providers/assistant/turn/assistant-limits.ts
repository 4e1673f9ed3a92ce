import { defaultScriptLimits, type ScriptLimits } from "../../../tools/built-in/script-limits.ts";

/** Limits of one turn of the assistant: counts, tokens or bytes, as their names say. */
export interface AssistantLimits {
	/** The maximum number of requests to the model. */
	readonly requests: number;
	readonly programs: number;
	/** The limit of one reply of the model. */
	readonly outputTokens: number;
	/** The limit of one call's result, as it is sent to the model. */
	readonly resultBytes: number;
	/** The limits of each of the model's programs. */
	readonly program: ScriptLimits;
}

const MIB = 2 ** 20;

export const defaultAssistantLimits: AssistantLimits = {
	requests: 40,
	programs: 25,
	outputTokens: 8_192,
	resultBytes: 32 * 1024,
	program: {
		...defaultScriptLimits,
		timeMs: 2 * 60_000,
		toolCalls: 5_000,
		consoleLines: 5_000,
		writtenBytes: 32 * MIB,
		outputBytes: 1 * MIB,
		programBytes: 64 * 1024,
	},
};

const REACHED: Readonly<Record<"requests" | "programs" | "outputTokens", (limit: number) => string>> = {
	requests: (limit) => `The model was asked ${limit} times and did not answer`,
	programs: (limit) => `The model tried to run more than ${limit} programs`,
	outputTokens: (limit) => `The model's reply was cut off after ${limit.toLocaleString("en")} tokens`,
};

/** Says which limit ended a turn, and its value. */
export function reachedMessage(limit: keyof typeof REACHED, limits: AssistantLimits): string {
	return `${REACHED[limit](limits[limit])} (${limit}).`;
}
