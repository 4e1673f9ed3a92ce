import type { RunId, Snapshot } from "@xworkmate/contracts";
import type { RunEvent } from "../../../ports/runs/run-event.ts";
import type { RunAnswer } from "../../../ports/runs/run-results.ts";
import type { RunLog } from "../../../ports/runs/run-service.ts";

const PAGE_CHARACTERS = 32 * 1024;

/** The position in a run's log of the last message that is not blank. */
interface AnswerPlace {
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

/** The answer of a run that has ended; undefined if there is none. The log is read only if the snapshot does not hold all of the answer. */
export async function openAnswer(log: RunLog, { runId, output }: Snapshot): Promise<RunAnswer | undefined> {
	if (output?.truncated === false) return output.totalBytes === 0 ? undefined : wholeAnswer(output.text);
	const place = await findAnswer(log, runId);
	return place && { totalBytes: place.totalBytes, pieces: () => readAnswer(log, runId, place) };
}

function wholeAnswer(text: string): RunAnswer {
	const bytes = Buffer.from(new Utf16Joiner().add(text));
	return {
		totalBytes: bytes.length,
		pieces: async function* () {
			yield bytes;
		},
	};
}

/** Finds the answer without loading it into memory. Undefined if there is none. */
async function findAnswer(log: RunLog, runId: RunId): Promise<AnswerPlace | undefined> {
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
async function* readAnswer(log: RunLog, runId: RunId, place: AnswerPlace): AsyncGenerator<Buffer> {
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
		const page = await log.readTexts(runId, cursor, PAGE_CHARACTERS);
		if (page.length === 0) return;
		for (const { seq, text } of page) {
			cursor = seq;
			const delta = text.includes('"message_delta"') ? messageDelta(JSON.parse(text)) : undefined;
			if (delta !== undefined) yield { seq, ...delta };
		}
		// A log may be long, so other work gets a turn on the event loop.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function messageDelta(event: RunEvent): Omit<Delta, "seq"> | undefined {
	if (event.type !== "said" || event.update.kind !== "message_delta") return undefined;
	return { messageId: event.update.messageId, text: event.update.text };
}

/** Joins pieces in which a surrogate pair may be split, because agents split their text anywhere. */
class Utf16Joiner {
	#held = "";

	/** Returns what can be encoded now. Half a pair at the end is kept for the next piece. */
	add(piece: string): string {
		const text = this.#held + piece;
		const isCut = /[\ud800-\udbff]$/.test(text);
		this.#held = isCut ? text.slice(-1) : "";
		return isCut ? text.slice(0, -1) : text;
	}
}
