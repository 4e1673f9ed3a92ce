import { z } from "zod";

const POLL_MS = 200;
/** How long to wait for a task's files, which the gateway reports shortly after the task has ended. */
const REPORT_MS = 10_000;

const TaskView = z.object({ id: z.string(), status: z.string(), endedAt: z.number().optional().catch(undefined) });

export interface TaskWatch {
	/** The session's tasks, as the gateway lists them. */
	readonly list: () => unknown;
	/** Ids of the tasks that the run opened. */
	readonly opened: () => readonly string[];
	readonly reported: () => readonly string[];
	readonly now: () => number;
	readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Waits at most `waitMs` until every task that a run opened has ended and, if it succeeded, has reported its files or had 10 s to do so;
 * returns how many tasks have not.
 */
export async function awaitBackgroundTasks(watch: TaskWatch, waitMs: number): Promise<number> {
	const until = watch.now() + waitMs;
	for (;;) {
		const pending = countPending(watch);
		if (pending === 0 || watch.now() >= until) return pending;
		await watch.pause(Math.min(POLL_MS, Math.max(1, until - watch.now())));
	}
}

function countPending({ list, opened, reported, now }: TaskWatch): number {
	const ids = opened();
	if (ids.length === 0) return 0;
	const views = new Map(
		z
			.array(z.unknown())
			.catch([])
			.parse(list())
			.flatMap((view) => {
				const task = TaskView.safeParse(view).data;
				return task === undefined ? [] : [[task.id, task] as const];
			}),
	);
	const told = new Set(reported());
	return ids.filter((id) => {
		const task = views.get(id);
		if (task === undefined || told.has(id)) return false;
		if (task.status === "queued" || task.status === "running") return true;
		return task.status === "succeeded" && now() - (task.endedAt ?? now()) < REPORT_MS;
	}).length;
}
