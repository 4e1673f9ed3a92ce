import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { omitUndefined, Redaction, type SessionUpdate, type ThreadId, type TurnId } from "@xworkmate/contracts";
import type { RunLog } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import type { ThreadStore, TurnKey, TurnRecord } from "../threads/index.ts";
import { isSamePiece } from "./join-pieces.ts";
import { runLogEntries } from "./run-log-entries.ts";

const SHOWN_ENTRIES = 10_000;
const SHOWN_CHARACTERS = 4_000_000;
/** Every update counts for at least this many characters, however short it is. */
const LEAST_CHARACTERS = 100;
const PAGE = 500;

export interface RunLogsParts {
	readonly store: Pick<ThreadStore, "turnRecord" | "readUpdates">;
	/** Values that are redacted in every log. */
	readonly secrets: () => Promise<readonly string[]>;
}

/** The stored log of a run, with secrets redacted, for a user who wants to know what happened. */
export class RunLogs {
	readonly #parts: RunLogsParts;

	constructor(parts: RunLogsParts) {
		this.#parts = parts;
	}

	/** @throws AppError TURN_NOT_FOUND */
	async show(key: TurnKey): Promise<RunLog> {
		const record = this.#record(key);
		const providerId = record.snapshot?.provider.providerId ?? record.request.routing.providerId;
		const redaction = new Redaction(await this.#parts.secrets());
		const { updates, more } = await this.#shown(key);
		const entries = runLogEntries(record, updates, (text) => redaction.text(text));
		return {
			threadId: key.threadId,
			turnId: key.turnId,
			...omitUndefined({ runId: record.turn.runId }),
			...(providerId && { providerId }),
			entries,
			more,
		};
	}

	/** The updates that a page can show, up to its limit. Between two batches, other requests are answered. */
	async #shown(key: TurnKey): Promise<{ readonly updates: readonly SessionUpdate[]; readonly more: boolean }> {
		const updates: SessionUpdate[] = [];
		let entries = 0;
		let characters = 0;
		for (let page = this.#page(key, 0); page.length > 0; page = this.#page(key, page.at(-1)?.seq ?? 0)) {
			for (const update of page) {
				const before = updates.at(-1);
				if (before === undefined || !isSamePiece(before, update)) entries++;
				characters += Math.max(LEAST_CHARACTERS, charactersOf(update));
				if (entries > SHOWN_ENTRIES || characters > SHOWN_CHARACTERS) return { updates, more: true };
				updates.push(update);
			}
			await setImmediate();
		}
		return { updates, more: false };
	}

	/**
	 * A run's log as one JSON document, in pieces, because it may be very long.
	 * @throws AppError TURN_NOT_FOUND
	 */
	export(threadId: ThreadId, turnId: TurnId): Readable {
		const key = { threadId, turnId };
		return Readable.from(this.#pieces(key, this.#record(key)), { objectMode: false });
	}

	async *#pieces(key: TurnKey, { turn, request, snapshot }: TurnRecord): AsyncGenerator<string> {
		const redaction = new Redaction(await this.#parts.secrets());
		const piece = (value: unknown) => JSON.stringify(redaction.value(value));
		const head = piece({ exportedAt: new Date().toISOString(), threadId: key.threadId, turn, request, ...omitUndefined({ snapshot }) });
		yield `${head.slice(0, -1)},"updates":[`;
		let seq = 0;
		for (let page = this.#page(key, 0); page.length > 0; page = this.#page(key, seq)) {
			yield `${seq === 0 ? "" : ","}\n${page.map(piece).join(",\n")}`;
			seq = page.at(-1)?.seq ?? seq;
		}
		yield "\n]}\n";
	}

	#page(key: TurnKey, afterSeq: number): readonly SessionUpdate[] {
		return this.#parts.store.readUpdates(key, afterSeq, PAGE);
	}

	#record(key: TurnKey): TurnRecord {
		const record = this.#parts.store.turnRecord(key);
		if (record !== undefined) return record;
		throw new AppError("TURN_NOT_FOUND", `This thread has no message ${key.turnId}.`, "Reload the thread.");
	}
}

function charactersOf({ update }: SessionUpdate): number {
	if ("text" in update) return update.text.length;
	if ("message" in update) return update.message.length;
	return "input" in update || "output" in update || "entries" in update ? JSON.stringify(update).length : 0;
}
