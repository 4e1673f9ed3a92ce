import type { RunId } from "@xworkmate/contracts";
import type { RunLog } from "../../../ports/run-service.ts";

const PAGE_EVENTS = 200;

/** The position in a run's log of the last message that is not blank. */
export interface AnswerPlace {
	readonly messageId: string;
	readonly firstSeq: number;
	readonly lastSeq: number;
	/** UTF-8 bytes of the whole text. */
	readonly totalBytes: number;
}

interface Delta {
	readonly seq: number;
	readonly messageId: string;
	readonly text: string;
}

interface Candidate extends AnswerPlace {
	readonly blank: boolean;
}

/** Finds the answer without loading it into memory. Undefined if there is none. */
export async function findAnswer(log: RunLog, runId: RunId): Promise<AnswerPlace | undefined> {
	let current: Candidate | undefined;
	let answer: Candidate | undefined;
	let joiner = new Utf16Joiner();
	for await (const { seq, messageId, text } of messageDeltas(log, runId, 0)) {
		const continues = current?.messageId === messageId;
		if (!continues) joiner = new Utf16Joiner();
		const base = continues && current !== undefined ? current : { messageId, firstSeq: seq, totalBytes: 0, blank: true };
		const totalBytes = base.totalBytes + Buffer.byteLength(joiner.add(text));
		current = { ...base, lastSeq: seq, totalBytes, blank: base.blank && text.trim() === "" };
		if (!current.blank) answer = current;
	}
	return answer;
}

/** The answer's text in UTF-8, piece by piece. */
export async function* readAnswer(log: RunLog, runId: RunId, place: AnswerPlace): AsyncGenerator<Buffer> {
	const joiner = new Utf16Joiner();
	for await (const { seq, text } of messageDeltas(log, runId, place.firstSeq - 1)) {
		if (seq > place.lastSeq) return;
		const whole = joiner.add(text);
		if (whole !== "") yield Buffer.from(whole);
	}
}

async function* messageDeltas(log: RunLog, runId: RunId, afterSeq: number): AsyncGenerator<Delta> {
	let cursor = afterSeq;
	for (;;) {
		const page = await log.read(runId, cursor, PAGE_EVENTS);
		for (const { seq, event } of page) {
			cursor = seq;
			if (event.type !== "said" || event.update.kind !== "message_delta") continue;
			yield { seq, messageId: event.update.messageId, text: event.update.text };
		}
		if (page.length < PAGE_EVENTS) return;
	}
}

/** Joins pieces in which a surrogate pair may be split, because agents split their text anywhere. */
class Utf16Joiner {
	#held = "";

	/** Returns what can be encoded now; half a pair at the end is kept for the next piece. */
	add(piece: string): string {
		const text = this.#held + piece;
		const isCut = /[\ud800-\udbff]$/.test(text);
		this.#held = isCut ? text.slice(-1) : "";
		return isCut ? text.slice(0, -1) : text;
	}
}
