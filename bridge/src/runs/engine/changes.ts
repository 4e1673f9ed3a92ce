import { type ChangeStore, isListed } from "../../ports/runs/change-store.ts";
import type { ChangeFeed, RunLog } from "../../ports/runs/run-service.ts";

/** Notifies readers that there are more changes. Readers fetch the changes at their own pace, so a slow reader does not delay anything. */
export class Changes implements ChangeFeed {
	readonly read: ChangeStore["read"];
	toolChanges = 0;
	agentChanges = 0;
	readonly #listeners = new Set<() => void>();

	constructor(store: ChangeStore, log: Pick<RunLog, "onCommittedAny">) {
		this.read = (after, limit) => store.read(after, limit);
		log.onCommittedAny((_runId, events) => {
			if (events.some(({ event }) => isListed(event))) this.ring();
		});
	}

	onChanged(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	toolsChanged(): void {
		this.toolChanges += 1;
		this.ring();
	}

	agentsChanged(): void {
		this.agentChanges += 1;
		this.ring();
	}

	ring(): void {
		for (const listener of [...this.#listeners]) listener();
	}
}
