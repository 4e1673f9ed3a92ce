import type { AppendResult, PlanAppend } from "../../../ports/plans/plan-store.ts";

interface Waiting {
	readonly append: PlanAppend;
	resolve(result: AppendResult): void;
	reject(error: unknown): void;
}

/** Writes a group. For each append, the result says whether it was written, or was behind because another commit came first. */
export type WriteGroup = (batch: readonly PlanAppend[]) => readonly AppendResult[];

/**
 * Group commit of plans: everything appended within one turn of the event loop is one durable transaction. Once it has been committed,
 * each append gets its own result, in the order of the calls. If the store refuses one of them, each is written separately, so that none
 * fails because of another.
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
				if (result === undefined) reject(new Error("the write returned no result for an append"));
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
			if (result === undefined) reject(new Error("the write returned no result for an append"));
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
