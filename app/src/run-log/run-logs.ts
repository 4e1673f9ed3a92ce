import { Readable } from "node:stream";
import { Redaction, type SessionUpdate, type ThreadId, type TurnId } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import type { RunLog } from "../core/ui-api.ts";
import type { ThreadStore, TurnKey, TurnRecord } from "../threads/index.ts";
import { redactValue } from "./redact.ts";
import { runLogEntries } from "./run-log-entries.ts";

const SHOWN_ENTRIES = 5_000;
const PAGE = 500;

export interface RunLogsParts {
	readonly store: Pick<ThreadStore, "turnRecord" | "readUpdates">;
	/** Values that never leave in a log. */
	readonly secrets: () => Promise<readonly string[]>;
}

/** Everything that is stored of a run, for the person who wants to know what happened; secrets redacted. */
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
		const updates = this.#parts.store.readUpdates(key, 0, SHOWN_ENTRIES + 1);
		const entries = runLogEntries(record, updates.slice(0, SHOWN_ENTRIES), (text) => redaction.text(text));
		return {
			threadId: key.threadId,
			turnId: key.turnId,
			...(record.turn.runId && { runId: record.turn.runId }),
			...(providerId && { providerId }),
			entries,
			more: updates.length > SHOWN_ENTRIES,
		};
	}

	/** One JSON document in pieces, however long the run was. @throws AppError TURN_NOT_FOUND */
	export(threadId: ThreadId, turnId: TurnId): Readable {
		const key = { threadId, turnId };
		return Readable.from(this.#pieces(key, this.#record(key)), { objectMode: false });
	}

	async *#pieces(key: TurnKey, { turn, request, snapshot }: TurnRecord): AsyncGenerator<string> {
		const redaction = new Redaction(await this.#parts.secrets());
		const piece = (value: unknown) => JSON.stringify(redactValue(value, redaction));
		const head = piece({ exportedAt: new Date().toISOString(), threadId: key.threadId, turn, request, ...(snapshot && { snapshot }) });
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
