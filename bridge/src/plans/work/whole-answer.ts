import type { RunId } from "@xworkmate/contracts";
import { answerMessageId, resultMessageId } from "../../ports/runs/result-message.ts";
import type { RunEvent } from "../../ports/runs/run-event.ts";
import type { RunResults } from "../../ports/runs/run-results.ts";
import type { RunLog } from "../../ports/runs/run-service.ts";

const PAGE_CHARACTERS = 32 * 1024;
/** The limit in bytes or, for a returned value, in characters. A longer answer is held without being examined. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The last message of a run in full; empty if there is none, undefined if it is too long to be examined. */
export async function wholeAnswer(results: RunResults, runId: RunId): Promise<string | undefined> {
	const answer = await results.answer(runId);
	if (answer === undefined) return "";
	if (answer.totalBytes > MOST_BYTES) return undefined;
	const pieces: Buffer[] = [];
	for await (const piece of answer.pieces()) pieces.push(piece);
	return Buffer.concat(pieces).toString("utf8");
}

/**
 * The value that a run returned, without anything that it printed or said before; empty if there is none, undefined if it is too long to be
 * examined.
 */
export async function returnedValue(log: Pick<RunLog, "readTexts">, runId: RunId): Promise<string | undefined> {
	const wanted: readonly string[] = [resultMessageId(runId), answerMessageId(runId)];
	const pieces: string[] = [];
	let size = 0;
	for (let cursor = 0; ; ) {
		const page = await log.readTexts(runId, cursor, PAGE_CHARACTERS);
		if (page.length === 0) return pieces.join("");
		for (const { seq, text } of page) {
			cursor = seq;
			const piece = text.includes('"message_delta"') ? pieceOf(JSON.parse(text), wanted) : "";
			size += piece.length;
			if (size > MOST_BYTES) return undefined;
			pieces.push(piece);
		}
		// A log may be long, so the event loop gets a turn.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function pieceOf(event: RunEvent, wanted: readonly string[]): string {
	if (event.type !== "said" || event.update.kind !== "message_delta") return "";
	return wanted.includes(event.update.messageId) ? event.update.text : "";
}
