import type { TerminalStatus } from "@xworkmate/contracts";
import type { RunStore } from "./ports/run-store.ts";

/** The store, counting the runs that it seals, for `GET /metrics`. */
export function countEnds(store: RunStore): { readonly store: RunStore; readonly ended: Partial<Record<TerminalStatus, number>> } {
	const ended: Partial<Record<TerminalStatus, number>> = {};
	const append: RunStore["append"] = async (batch) => {
		await store.append(batch);
		for (const { sealed } of batch) {
			const status = sealed?.snapshot.status;
			if (status !== undefined && status !== "queued" && status !== "running") ended[status] = (ended[status] ?? 0) + 1;
		}
	};
	return { store: { ...store, append }, ended };
}
