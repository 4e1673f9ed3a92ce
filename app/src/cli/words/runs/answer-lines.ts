import type { Output, ThreadId } from "@xworkmate/contracts";
import { deliverablePieces } from "@xworkmate/contracts/deliverable-tags";
import { words } from "../../../strings/interface.ts";
import { activeTurnWords } from "../../../strings/runs/turn-words.ts";
import { commandLine } from "../../../text/command-line.ts";
import { oneLine, printable } from "../../../text/printable.ts";

/** The maximum number of characters shown of an answer. A longer one would push the other turns off the screen. */
const SHOWN = 4000;

/**
 * A run's answer, below its message. If it is shortened, the last line says where to read all of it. `isOfPlan`: the answer contains a
 * message to be sent, which is set off from the rest as on the page.
 */
export function answerLines(answer: Output | undefined, threadId: ThreadId, isOfPlan = false): readonly string[] {
	if (answer === undefined || answer.text.trim() === "") return [];
	const characters = [...printable(isOfPlan ? withMessageSetOff(answer.text) : answer.text).trim()];
	const text = characters.slice(0, SHOWN).join("").trimEnd();
	// The app's copy of the answer may be shortened too; the page fetches the complete answer from the bridge.
	const whole = commandLine(answer.truncated ? "open" : `threads show --json ${oneLine(threadId, 200)}`);
	const cut = characters.length > SHOWN || answer.truncated ? [`  … The answer is longer. See the full answer: ${whole}`] : [];
	return ["", ...text.split("\n").map((line) => `  ${line}`.trimEnd()), ...cut];
}

/** The part of an active run's answer that the app has received so far. */
export function soFarLines(answer: Output | undefined, threadId: ThreadId): readonly string[] {
	const lines = answerLines(answer, threadId);
	return lines.length === 0 ? [] : ["", `  ${activeTurnWords.soFar}`, ...lines.slice(1)];
}

function withMessageSetOff(text: string): string {
	const parts = deliverablePieces(text).map(({ kind, from, to }) => {
		const part = text.slice(from, to);
		return kind === "work" ? part : `${words.thread.planMessage}:\n  ${part.replaceAll("\n", "\n  ")}`;
	});
	return parts.join("\n\n");
}
