import type { AppendResult, PlanAppend } from "../../../ports/plan-store.ts";

interface Waiting {
	readonly append: PlanAppend;
	resolve(result: AppendResult): void;
	reject(error: unknown): void;
}

/** How one append of a group ended: written, or behind. */
export type WriteGroup = (batch: readonly PlanAppend[]) => readonly AppendResult[];

/**
 * Group commit of plans: what is appended within one turn of the event loop is one durable transaction. Each append is answered for itself,
 * in the order in which they came, once that transaction has ended. If the store refuses one of them, each is written on its own, so that none
 * fails for another one's sake.
 *
 * @param write writes all, or throws and writes nothing
 */
export function groupAppends(write: WriteGroup): (append: PlanAppend) => Promise<AppendResult> {
	let waiting: Waiting[] = [];

	function end(): void {
		const group = waiting;
		waiting = [];
		try {
			const results = write(group.map(({ append }) => append));
			for (const [index, { resolve, reject }] of group.entries()) {
				const result = results[index];
				if (result === undefined) reject(new Error("a group is answered as a whole"));
				else resolve(result);
			}
		} catch (error) {
			if (group.length === 1) group[0]?.reject(error);
			else for (const one of group) alone(one);
		}
	}

	function alone({ append, resolve, reject }: Waiting): void {
		try {
			const [result] = write([append]);
			if (result === undefined) reject(new Error("a group is answered as a whole"));
			else resolve(result);
		} catch (error) {
			reject(error);
		}
	}

	return (append) =>
		new Promise((resolve, reject) => {
			waiting.push({ append, resolve, reject });
			if (waiting.length === 1) setImmediate(end);
		});
}
