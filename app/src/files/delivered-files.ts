import type { Snapshot, ThreadId, TurnId } from "@xworkmate/contracts";
import type { Thread, ThreadStore, Turn, TurnRecord } from "../threads/index.ts";

const KEPT_THREADS = 8;

type Delivered = Pick<Snapshot, "artifacts" | "rejectedArtifacts" | "rejectedCount" | "workedIn">;

/** A turn, and what its run delivered according to its terminal snapshot. */
export interface DeliveredTurn {
	readonly turn: Turn;
	readonly snapshot?: Delivered;
}

/**
 * What the runs of a thread delivered. A terminal snapshot never changes, so the results of the threads that were read last are kept in
 * memory.
 */
export class DeliveredFiles {
	readonly #store: Pick<ThreadStore, "turnRecords" | "turnRecord">;
	readonly #known = new Map<ThreadId, Map<TurnId, Delivered>>();

	constructor(store: Pick<ThreadStore, "turnRecords" | "turnRecord">) {
		this.#store = store;
	}

	/** Each turn of a thread with what its run delivered, oldest first. */
	of({ threadId, turns }: Thread): readonly DeliveredTurn[] {
		const known = this.#known.get(threadId) ?? this.#readAll(threadId);
		this.#keep(threadId, known);
		return turns.map((turn) => {
			const snapshot = known.get(turn.turnId) ?? this.#read(threadId, turn, known);
			return { turn, ...(snapshot && { snapshot }) };
		});
	}

	#readAll(threadId: ThreadId): Map<TurnId, Delivered> {
		const known = new Map<TurnId, Delivered>();
		for (const record of this.#store.turnRecords(threadId)) learn(record, known);
		return known;
	}

	#read(threadId: ThreadId, { turnId, endedAt }: Turn, known: Map<TurnId, Delivered>): Delivered | undefined {
		const record = endedAt === undefined ? undefined : this.#store.turnRecord({ threadId, turnId });
		if (record !== undefined) learn(record, known);
		return known.get(turnId);
	}

	#keep(threadId: ThreadId, known: Map<TurnId, Delivered>): void {
		this.#known.delete(threadId);
		this.#known.set(threadId, known);
		for (const oldest of this.#known.keys()) {
			if (this.#known.size <= KEPT_THREADS) break;
			this.#known.delete(oldest);
		}
	}
}

/** Keeps only what is needed here, because the rest of a snapshot, such as its answer, may be long. */
function learn({ turn, snapshot }: TurnRecord, known: Map<TurnId, Delivered>): void {
	if (snapshot === undefined) return;
	const { artifacts, rejectedArtifacts, rejectedCount, workedIn } = snapshot;
	known.set(turn.turnId, {
		artifacts,
		rejectedArtifacts,
		...(rejectedCount !== undefined && { rejectedCount }),
		...(workedIn && { workedIn }),
	});
}
