import type { GuestSource } from "./guest-prelude.ts";
import type { Position } from "./program-checker.ts";
import type { SandboxOutcome } from "./sandbox.ts";

const MAX_MESSAGE = 4096;

/** What an error of the `run` library (2.1.5) means. Its texts are matched where it gives no code of its own. */
export function outcomeOf(error: unknown, source: GuestSource): SandboxOutcome {
	if (!(error instanceof Error)) return { kind: "broken", cause: error };
	const code = "code" in error ? error.code : undefined;
	const text = error.message;
	switch (code) {
		case "RUN_ABORTED":
			return { kind: "aborted" };
		case "RUN_TIMEOUT":
			return { kind: "limit", limit: "timeMs" };
		// Thrown for a program that goes round its prelude and calls the host with nonsense.
		case "RUN_HOST_FUNCTION_ERROR":
		case "RUN_USER_SOURCE_ERROR":
			break;
		default:
			if (text.startsWith("JavaScript runtime result exceeds")) return { kind: "limit", limit: "callBytes" };
			if (text.endsWith("out of memory")) return { kind: "limit", limit: "memoryBytes" };
			return { kind: "broken", cause: error };
	}
	if (error.name === "InternalError" && text === "out of memory") return { kind: "limit", limit: "memoryBytes" };
	if (/^(?:Host function|Synchronous bridge request) arguments exceed the \d+ byte/.test(text))
		return { kind: "limit", limit: "callBytes" };
	const position = positionIn(error.stack ?? "", source);
	const message = clipped(error.name === "Thrown" ? `Thrown: ${text}` : `${error.name}: ${text}`);
	return position === undefined ? { kind: "threw", message } : { kind: "threw", message, position };
}

/** The innermost frame that lies in the program. The guest may forge it: it is shown, never acted on. */
function positionIn(stack: string, source: GuestSource): Position | undefined {
	for (const [, lineText, columnText] of stack.matchAll(/run\.js:(\d+):(\d+)/g)) {
		const line = Number(lineText);
		const column = Number(columnText) - (line === 1 ? source.firstLineOffset : 0);
		if (line >= 1 && line <= source.lines && column >= 1) return { line, column };
	}
	return undefined;
}

function clipped(text: string): string {
	const whole = text.toWellFormed();
	return whole.length > MAX_MESSAGE ? `${whole.slice(0, MAX_MESSAGE).toWellFormed()}…` : whole;
}
