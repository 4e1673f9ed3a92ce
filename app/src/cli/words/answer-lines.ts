import type { Output, ThreadId } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, printable } from "../../text/printable.ts";

/** A thread is read from its top; a longer answer would push the other turns away. */
const SHOWN = 4000;

/** What a run answered, below its message. Where it is cut, it is said where the whole is. */
export function answerLines(answer: Output | undefined, threadId: ThreadId): readonly string[] {
	if (answer === undefined || answer.text.trim() === "") return [];
	const characters = [...printable(answer.text).trim()];
	const text = characters.slice(0, SHOWN).join("").trimEnd();
	// What the app keeps may be cut as well: the page fetches the whole from the bridge.
	const whole = commandLine(answer.truncated ? "open" : `threads show --json ${oneLine(threadId, 200)}`);
	const cut = characters.length > SHOWN || answer.truncated ? [`  … The answer is longer. See all of it: ${whole}`] : [];
	return ["", ...text.split("\n").map((line) => `  ${line}`.trimEnd()), ...cut];
}
