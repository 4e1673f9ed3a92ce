import type { ChangeCursor, Origin } from "@xworkmate/contracts";
import { BridgeChanges } from "../bridge-client/bridge-changes.ts";
import type { BridgeClient, ClientBounds } from "../bridge-client/index.ts";
import { failureVerdict } from "../bridge-client/index.ts";
import type { ChangeItem } from "../bridge-client/wire/change-item.ts";
import type { AppEvents } from "../threads/app-events.ts";
import type { ThreadStore } from "../threads/index.ts";
import type { Adoption } from "./adoption.ts";

export interface BridgeFeedParts {
	readonly store: ThreadStore;
	readonly client: BridgeClient;
	readonly bounds: ClientBounds;
	readonly adoption: Adoption;
	readonly events: AppEvents;
	readonly fault: (error: unknown) => void;
}

/** How long a new cursor may remain unwritten. With an older cursor, some changes are just read again after a restart. */
const KEEP_MS = 1_000;

/** Reads the bridge's changes: adopts runs, and emits events for the rest. The cursor is stored once no run is waiting to be adopted. */
export class BridgeFeed {
	readonly #parts: BridgeFeedParts;
	readonly #changes: BridgeChanges<ChangeItem>;
	readonly #stop = new AbortController();
	#cursor: ChangeCursor | undefined;
	/** The newest cursor, if it has not been stored yet. */
	#unkept: ChangeCursor | undefined;
	#keeping: NodeJS.Timeout | undefined;
	#retrying: Promise<void> = Promise.resolve();

	constructor(parts: BridgeFeedParts) {
		this.#parts = parts;
		this.#cursor = parts.store.changesCursor();
		this.#changes = new BridgeChanges({
			bounds: parts.bounds,
			open: (signal) => parts.client.changes(this.#cursor, signal),
			take: (items) => this.#take(items),
			followed: (isFollowed) => this.#followed(isFollowed),
			fault: parts.fault,
		});
	}

	/** The app's identity, if the bridge serves its changes and therefore accepts an origin. An older bridge would refuse the param. */
	get origin(): Origin | undefined {
		return this.#changes.isFollowed ? { kind: "app", id: this.#parts.store.appId } : undefined;
	}

	start(): void {
		this.#changes.start();
	}

	hurry(): void {
		this.#changes.hurry();
	}

	/** Call this after a thread has been written, because the thread may now be ready for a run that is waiting to be adopted. */
	threadChanged(): void {
		if (this.#parts.adoption.isWaiting) this.#retry();
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#changes.close();
		await this.#retrying;
		this.#keep();
	}

	async #take(items: readonly ChangeItem[]): Promise<void> {
		const { adoption, events } = this.#parts;
		for (const { cursor, change } of items) {
			if (change?.kind === "run") await adoption.see(change.run, this.#stop.signal);
			if (change?.kind === "approval") events.emit("approvalNews", { type: "approval", approval: change.approval });
			if (change?.kind === "tools") events.emit("toolsChanged");
			if (change?.kind === "agents") events.emit("agentsChanged");
			if (change?.kind === "resync") events.emit("approvalNews", { type: "resync" });
			this.#cursor = cursor;
			this.#keepSoon();
		}
	}

	#followed(isFollowed: boolean): void {
		this.#parts.events.emit("approvalNews", { type: "followed", isFollowed });
		if (!isFollowed) return;
		this.#parts.events.emit("toolsChanged");
		this.#parts.events.emit("agentsChanged");
		this.threadChanged();
	}

	/** Retries run one after the other, so that a thread's runs stay in order, and start only after the current event has been handled. */
	#retry(): void {
		this.#retrying = this.#retrying
			.then(() => this.#parts.adoption.retry(this.#stop.signal))
			.then(
				() => this.#keepSoon(),
				(error: unknown) => {
					// If the bridge is unreachable, waiting runs are retried when its changes are followed again.
					if (!this.#stop.signal.aborted && failureVerdict(error) === undefined) this.#parts.fault(error);
				},
			);
	}

	#keepSoon(): void {
		if (this.#parts.adoption.isWaiting) return;
		this.#unkept = this.#cursor;
		this.#keeping ??= setTimeout(() => this.#keep(), KEEP_MS).unref();
	}

	#keep(): void {
		clearTimeout(this.#keeping);
		this.#keeping = undefined;
		if (this.#unkept === undefined) return;
		try {
			this.#parts.store.keepChangesCursor(this.#unkept);
			this.#unkept = undefined;
		} catch (error) {
			this.#parts.fault(error);
		}
	}
}
