import { ContractError, isTerminal, limits, omitUndefined, type TaskRef, type ThreadId } from "@xworkmate/contracts";
import { type BridgeClient, BridgeTransportError } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import { currentTurn, findTurn, type ThreadCommand, type ThreadStore, type Turn, type TurnKey } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { isStillOwn } from "./bridge-of-turn.ts";

export interface UnresolvedOptions {
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly client: BridgeClient;
	/** The address of a bridge elsewhere; undefined if the app asks the bridge of its own home. */
	readonly bridgeUrl: string | undefined;
	/** Resumes a turn that the bridge knows after all. */
	readonly takeUp: (key: TurnKey) => void;
	readonly fault: (error: unknown) => void;
}

/**
 * Asks again about unresolved turns: at the start, after a reconnect, when the OpenClaw queue continues after a pause, when their thread is
 * opened, and every 10 minutes, for 7 days. Nothing is sent again.
 */
export class UnresolvedTurns {
	readonly #options: UnresolvedOptions;
	readonly #stop = new AbortController();
	#asking: Promise<void> | undefined;
	#again = false;

	constructor(options: UnresolvedOptions) {
		this.#options = options;
	}

	/**
	 * Asks about all unresolved turns, or those of one thread. Calls made during a round cause one more round about all of them. Never
	 * rejects.
	 */
	ask(threadId?: ThreadId): Promise<void> {
		if (this.#asking !== undefined) {
			this.#again = true;
			return this.#asking;
		}
		this.#asking = this.#rounds(threadId)
			.catch((error: unknown) => this.#options.fault(error))
			.finally(() => {
				this.#asking = undefined;
			});
		return this.#asking;
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#asking;
	}

	async #rounds(threadId: ThreadId | undefined): Promise<void> {
		this.#again = false;
		await this.#askAll(threadId);
		if (this.#again && !this.#stop.signal.aborted) await this.#rounds(undefined);
	}

	async #askAll(threadId: ThreadId | undefined): Promise<void> {
		const since = new Date(Date.now() - limits.unresolvedKeepMs).toISOString();
		for (const key of this.#options.store.unresolvedTurns(since)) {
			if (this.#stop.signal.aborted) return;
			if (threadId === undefined || key.threadId === threadId) await this.#askOne(key);
		}
	}

	async #askOne(key: TurnKey): Promise<void> {
		const { repository, client, takeUp } = this.#options;
		const turn = this.#unresolved(key);
		if (turn === undefined) return;
		try {
			const snapshot = await client.call("xworkmate.tasks.get", ref(key, turn), this.#stop.signal);
			if (this.#stop.signal.aborted) return;
			const thread = repository.find(key.threadId);
			if (thread === undefined || this.#unresolved(key) === undefined) return;
			const current = currentTurn(thread)?.turnId === key.turnId && thread.lifecycleStatus === "ready";
			// A current turn is resumed like any other, with the rest of its transcript, its result and its files. Another turn is left alone
			// until its run has ended; then it gets the rest of its transcript and its result. Until then, it is only asked to stop, if
			// requested.
			if (!current && !isTerminal(snapshot.status)) {
				if (turn.cancelRequestedAt !== undefined) await client.call("xworkmate.tasks.cancel", ref(key, turn), this.#stop.signal);
				return;
			}
			if (current) {
				// A turn that is still running holds its slot from now on.
				const handle = { ...snapshot, lastSeq: turn.lastSeq };
				repository.execute(key.threadId, [{ type: "see_handle", turnId: key.turnId, at: timestamp(), handle }]);
			}
			takeUp(key);
		} catch (error) {
			if (this.#stop.signal.aborted) return;
			this.#noAnswer(key, turn, error);
		}
	}

	#unresolved({ threadId, turnId }: TurnKey): Turn | undefined {
		const thread = this.#options.repository.find(threadId);
		const turn = thread && findTurn(thread, turnId);
		return turn?.status === "unresolved" ? turn : undefined;
	}

	#noAnswer(key: TurnKey, turn: Turn, error: unknown): void {
		if (error instanceof ContractError && error.code === "NOT_FOUND") {
			const command = unknownThere(turn, error, isStillOwn(this.#options, key));
			if (command !== undefined && this.#unresolved(key) !== undefined) this.#options.repository.execute(key.threadId, [command]);
			return;
		}
		const expected = error instanceof ContractError || error instanceof BridgeTransportError || error instanceof AppError;
		if (!expected) throw error;
	}
}

/**
 * The conclusion if a bridge does not know an unresolved turn. If the turn has a run, this is a different bridge or one that lost its data.
 * The app keeps asking, because the run's own bridge may come back. If the turn has no run and this is the bridge that the turn was for,
 * nothing was sent. If a backup has been restored, the bridge may have received the turn after the backup was made, so the turn is lost.
 */
function unknownThere(turn: Turn, { code, message }: ContractError, isItsBridge: boolean): ThreadCommand | undefined {
	const { runId, turnId, resultCode = "failed", resultDetail } = turn;
	const about = { turnId, at: timestamp() };
	if (runId === undefined && resultDetail?.code === "STORE_RESTORED")
		return isItsBridge ? { type: "lose", ...about, detail: resultDetail } : undefined;
	if (runId !== undefined || !isItsBridge) return { type: "fail_recovery", ...about, resultCode: "interrupted", detail: { code, message } };
	return { type: "refuse", ...about, resultCode, detail: { code, message: "The bridge never received this message, so nothing was run." } };
}

function ref({ threadId, turnId }: TurnKey, { runId, artifactScope }: Turn): TaskRef {
	if (runId === undefined) return { threadId, turnId };
	return { runId, ...omitUndefined({ artifactScope }) };
}
