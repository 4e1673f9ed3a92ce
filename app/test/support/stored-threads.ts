import { join } from "node:path";
import type { ThreadId, Timestamp } from "@xworkmate/contracts";
import type { SendRequest } from "../../src/api/app-api.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { AppEvents, type ChangeExtras } from "../../src/threads/app-events.ts";
import type { TurnRequest } from "../../src/threads/domain/turn-record.ts";
import type { Admission, Thread, ThreadCommand } from "../../src/threads/index.ts";
import { ThreadRepository } from "../../src/threads/thread-repository.ts";
import { composeTurn } from "../../src/turns/compose-turn.ts";
import { temporaryHome } from "./temporary-home.ts";
import { create, ended, send, synced, threadId, turnIdOf } from "./thread-story.ts";

/** Threads on a disk of their own, with the events about them. */
export class StoredThreads implements Disposable {
	readonly #home = temporaryHome();
	readonly events = new AppEvents();
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	/** Threads of which a list shows something else than before, in order. */
	readonly changed: ThreadId[] = [];

	constructor() {
		this.store = new SqliteThreadStore(join(this.home, "app.sqlite"));
		this.repository = new ThreadRepository(this.store, this.events);
		this.events.on("summaryChanged", (threadId) => void this.changed.push(threadId));
	}

	get home(): string {
		return this.#home.path;
	}

	/** How many changes were told since the last call. */
	told(): number {
		return this.changed.splice(0).length;
	}

	tell(commands: readonly ThreadCommand[], extras: ChangeExtras = {}): Thread {
		return this.repository.execute(threadId, commands, extras);
	}

	/** A turn that has begun; its thread is made with the first. */
	begin(
		turn: string,
		prompt = "do it",
		attachments: NonNullable<SendRequest["attachments"]> = [],
		more: Partial<TurnRequest> = {},
		admission: Admission = "run",
	): Thread {
		const place = { threadId, turnId: turnIdOf(turn), folder: join(this.home, "folder") };
		const created = composeTurn(place, { prompt, routing: { executionTarget: "agent" }, attachments });
		return this.tell([create, send(turn, admission)], { created: { ...created, request: { ...created.request, ...more } } });
	}

	/** The end of a turn, as the bridge says it. */
	end(turn: string, status: "completed" | "failed" | "cancelled" = "completed", at?: Timestamp): Thread {
		const command = { ...ended(turn, (run) => run.end(status)), ...(at && { at }) };
		const { pendingTurnId } = this.tell([command], { snapshot: command.snapshot });
		return pendingTurnId === undefined ? this.repository.get(threadId) : this.tell([synced(turn, [])]);
	}

	[Symbol.dispose](): void {
		this.store.close();
		this.#home[Symbol.dispose]();
	}
}
