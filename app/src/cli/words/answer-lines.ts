import type { Output, ThreadId } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, printable } from "../../text/printable.ts";

/** A thread is read from the top; a longer answer would push the other turns off the screen. */
const SHOWN = 4000;

/** A run's answer, below its message. If it is shortened, the last line says where to read all of it. */
export function answerLines(answer: Output | undefined, threadId: ThreadId): readonly string[] {
	if (answer === undefined || answer.text.trim() === "") return [];
	const characters = [...printable(answer.text).trim()];
	const text = characters.slice(0, SHOWN).join("").trimEnd();
	// The answer that the app keeps may be shortened too; the page fetches the complete one from the bridge.
	const whole = commandLine(answer.truncated ? "open" : `threads show --json ${oneLine(threadId, 200)}`);
	const cut = characters.length > SHOWN || answer.truncated ? [`  … The answer is longer. See all of it: ${whole}`] : [];
	return ["", ...text.split("\n").map((line) => `  ${line}`.trimEnd()), ...cut];
}
