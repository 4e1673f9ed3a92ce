import {
	type ArtifactScope,
	isTerminal,
	type Origin,
	omitUndefined,
	type RunId,
	type SessionUpdate,
	type Snapshot,
	type ThreadId,
	type TurnId,
} from "@xworkmate/contracts";
import {
	type ArtifactSource,
	type BridgeClient,
	type ClientBounds,
	type Connection,
	type TurnEnd,
	type TurnPosition,
	type TurnSink,
	type TurnSubmission,
	TurnTransport,
	type UpdateItem,
} from "../bridge-client/index.ts";
import { savedBefore } from "../files/missing-files.ts";
import { type SyncBounds, syncRun } from "../sync/index.ts";
import {
	findTurn,
	isSettled,
	type RunHandle,
	type Thread,
	type ThreadCommand,
	type ThreadStore,
	type Turn,
	type TurnKey,
} from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { isForAnother, isStillOwn } from "./bridge-of-turn.ts";
import type { TurnFeed } from "./turn-feed.ts";

/** Dependencies shared by all active turns. */
export interface DriverParts {
	readonly home: string;
	readonly repository: ThreadRepository;
	readonly store: ThreadStore;
	readonly feed: TurnFeed;
	readonly client: BridgeClient;
	/** The address of a bridge elsewhere; undefined if the app asks the bridge of its own home. */
	readonly bridgeUrl: string | undefined;
	readonly source: ArtifactSource;
	/** The app's identity, once the bridge is known to accept an origin. */
	readonly origin: () => Origin | undefined;
	readonly bounds: { readonly client: ClientBounds; readonly sync: SyncBounds };
	/** Called when the bridge has refused a turn because its gateway is unavailable. True if the turn may wait for the gateway. */
	readonly mayWait: () => Promise<boolean>;
	/** Called when files of a run could not be fetched: the bridge may be unreachable. */
	readonly fetchFailed: () => void;
}

const unknownHere = { code: "NOT_FOUND", message: "The bridge doesn't know this message." } as const;

/** How a driver gets its turn. */
export interface DriveStart {
	/** True if the turn may have been sent before. */
	readonly resumed: boolean;
	/** True if this process did not begin the turn, so that an earlier process may have used another bridge. */
	readonly found: boolean;
	/** Whether the sync of a run's files replaces those that it saved earlier and that have been edited since. */
	readonly replaceEdits?: boolean;
}

/** Drives one active turn from its current state to its end, including the sync of its files. */
export class TurnDriver implements TurnSink {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly #parts: DriverParts;
	readonly #transport: TurnTransport;
	readonly #replaceEdits: boolean;
	/** True if an earlier process may have sent the turn to another bridge. */
	readonly #isFromElsewhere: boolean;
	#runId: RunId | undefined;
	#scope: ArtifactScope | undefined;
	#lastSeq: number;
	#unwritten: UpdateItem[] = [];
	#flushing: NodeJS.Immediate | undefined;
	#fault: { readonly error: unknown } | undefined;

	constructor(parts: DriverParts, key: TurnKey, { resumed, found, replaceEdits = false }: DriveStart) {
		this.#parts = parts;
		this.#replaceEdits = replaceEdits;
		this.#isFromElsewhere = found && !isStillOwn(parts, key);
		this.threadId = key.threadId;
		this.turnId = key.turnId;
		const turn = this.#turn();
		this.#runId = turn.runId;
		this.#scope = turn.artifactScope;
		this.#lastSeq = turn.lastSeq;
		const submission = this.#submission(turn, resumed);
		const { client, bounds } = parts;
		this.#transport = new TurnTransport({ client, sink: this, resumed, bounds: bounds.client, ...omitUndefined({ submission }) });
	}

	/** @throws the store's error; what was written before it is kept, and the turn can be resumed */
	async run(signal: AbortSignal): Promise<void> {
		try {
			if (!isSettled(this.#turn().status)) {
				const end = await this.#transport.run(signal);
				this.#flush();
				if (end.kind === "refused" && end.detail.code === "GATEWAY_UNAVAILABLE" && (await this.#parts.mayWait())) {
					this.#execute({ type: "requeue", turnId: this.turnId, at: timestamp() });
				} else this.#settle(end);
				if (end.kind === "terminal") this.#transport.settled();
			}
			await this.#sync(signal);
			const thread = this.#parts.repository.find(this.threadId);
			// A turn that went back to the queue continues to show its position there.
			if (thread === undefined || findTurn(thread, this.turnId)?.status !== "waiting") this.#parts.feed.forget(this);
		} finally {
			clearImmediate(this.#flushing);
		}
	}

	/** Sends the turn's saved stop request. Resolves with true if the bridge has it. */
	cancel(): Promise<boolean> {
		return this.#transport.cancel();
	}

	/** Call this when the bridge is reachable again: ends the pause between two attempts. */
	hurry(): void {
		this.#transport.hurry();
	}

	position(): TurnPosition {
		// If a write has failed in the meantime, this attempt ends.
		if (this.#fault !== undefined) throw this.#fault.error;
		return {
			lastSeq: this.#lastSeq,
			cancelRequested: this.#turn().cancelRequestedAt !== undefined,
			...omitUndefined({ runId: this.#runId, artifactScope: this.#scope }),
		};
	}

	updates(items: readonly UpdateItem[]): void {
		const { place } = items.at(-1) ?? {};
		if (place === undefined) return;
		this.#unwritten.push(...items);
		this.#lastSeq = place.seq;
		const first = this.#runId === undefined;
		this.#runId = place.runId;
		this.#scope = place.artifactScope;
		// The handle is written at once. After that, all updates of a tick share one commit.
		if (first) this.#flush();
		else this.#flushing ??= setImmediate(() => this.#flushLater());
	}

	handle(snapshot: Snapshot): void {
		this.#flush();
		this.#runId = snapshot.runId;
		this.#scope = snapshot.artifactScope;
		this.#execute({ type: "see_handle", turnId: this.turnId, at: timestamp(), handle: { ...snapshot, lastSeq: this.#lastSeq } });
	}

	connection(change: Connection): void {
		this.#parts.feed.show(this, { connection: change });
	}

	#flushLater(): void {
		try {
			this.#flush();
		} catch (error) {
			this.#fault = { error };
			this.#transport.recheck();
		}
	}

	#flush(): void {
		clearImmediate(this.#flushing);
		this.#flushing = undefined;
		const items = this.#unwritten;
		this.#unwritten = [];
		const [first, last] = [items.at(0), items.at(-1)];
		if (first === undefined || last === undefined) return;
		const status = items.map(({ place }) => place.status).findLast((seen) => seen !== undefined && !isTerminal(seen));
		const { runId, artifactScope, seq } = last.place;
		const updates = items.map((item) => item.update).filter((update): update is SessionUpdate => update !== undefined);
		const stop = updates.find(({ update }) => update.kind === "status" && update.progress?.stage === "stopping");
		const seen = { status: status ?? "running", lastSeq: seq, ...omitUndefined({ cancelRequestedAt: stop?.at }) };
		const handle: RunHandle = { runId, artifactScope, ...seen };
		const { turnId } = this;
		const batch = { turnId, after: first.place.seq - 1, items: updates };
		this.#execute({ type: "see_handle", turnId, at: timestamp(), handle }, { updates: batch });
	}

	#settle(end: TurnEnd): void {
		const about = { turnId: this.turnId, at: timestamp() };
		switch (end.kind) {
			case "terminal":
				this.#execute({ type: "apply_snapshot", snapshot: end.snapshot, ...about }, { snapshot: end.snapshot });
				break;
			case "refused":
				this.#execute({ type: "refuse", resultCode: end.resultCode, detail: end.detail, ...about });
				break;
			case "unsent":
				if (this.#isFromElsewhere) this.#execute({ type: "fail_recovery", resultCode: "interrupted", detail: unknownHere, ...about });
				else this.#execute({ type: "abort_unsent", ...about });
				break;
			case "lost":
				this.#execute({ type: "fail_recovery", resultCode: end.resultCode, detail: end.detail, ...about });
				break;
			case "stopped":
				break;
		}
	}

	async #sync(signal: AbortSignal): Promise<void> {
		const { repository, store, feed, source, home, bounds } = this.#parts;
		const thread = repository.get(this.threadId);
		const snapshot = store.turnRecord(this)?.snapshot;
		const due = thread.pendingTurnId === this.turnId && this.#turn().syncStatus === "syncing";
		if (!due || snapshot === undefined) return;
		feed.show(this, { syncing: { files: snapshot.artifacts.count, totalBytes: snapshot.artifacts.totalBytes } });
		const folder = () => ensureThreadFolder(home, this.threadId);
		const before = await savedBefore(threadFolder(home, this.threadId), this.#turn().syncedPaths);
		const how = { replaceEdits: this.#replaceEdits, signal, bounds: bounds.sync };
		const { status, paths, detail } = await syncRun({ thread, snapshot, before, folder, source, ...how });
		if (status === "stopped") return;
		if (detail?.code === "TRANSFER_FAILED") this.#parts.fetchFailed();
		const { turnId } = this;
		this.#execute({ type: "finish_sync", turnId, runId: snapshot.runId, status, paths, at: timestamp(), ...omitUndefined({ detail }) });
	}

	#execute(command: ThreadCommand, extras: Parameters<ThreadRepository["execute"]>[2] = {}): Thread {
		return this.#parts.repository.execute(this.threadId, [command], extras);
	}

	#turn(): Turn {
		const turn = findTurn(this.#parts.repository.get(this.threadId), this.turnId);
		if (turn === undefined) throw new RangeError(`turn ${this.turnId} is not in its thread`);
		return turn;
	}

	/**
	 * The submit, with the same prompt, context and files each time; its content was checked when it was composed. Undefined for an
	 * unresolved turn, because the bridge may have it and its files may be gone: the bridge is only asked about it. Also undefined for a turn
	 * that an earlier process may have sent to another bridge, because the turn could run twice.
	 */
	#submission(turn: Turn, resumed: boolean): TurnSubmission | undefined {
		const { store, repository, origin, bridgeUrl } = this.#parts;
		const { threadId, turnId } = this;
		const request = store.turnRecord(this)?.request;
		const kept = turn.runId === undefined && turn.status !== "unresolved" ? store.submission(this) : undefined;
		if (request === undefined || kept === undefined || (resumed && isForAnother(request, bridgeUrl))) return undefined;
		const { sessionId, turns } = repository.get(threadId);
		const {
			contract,
			assistant,
			attachments: _notes,
			origin: _elsewhere,
			continues: _ofTheApp,
			ownBridge: _whose,
			bridgeUrl: _where,
			...rest
		} = request;
		const files = kept.attachments.map(({ bytes, ...note }) => ({ ...note, base64: Buffer.from(bytes).toString("base64") }));
		const attachments = files.length > 0 ? files : undefined;
		const metadata = { xworkmateTaskArtifactContract: contract, ...(assistant !== undefined && { xworkmateAssistant: assistant }) };
		const params = {
			sessionId,
			threadId,
			turnId,
			workspaceContext: kept.workspaceContext,
			...rest,
			attachments,
			metadata,
			origin: origin(),
		};
		return { method: turns.some((earlier) => earlier.runId !== undefined) ? "session.message" : "session.start", params };
	}
}
