import { EventEmitter, once } from "node:events";
import type { WorkHost } from "../../src/work/gateway-work.ts";

export interface FakeTask {
	readonly id: string;
	/** The session that started it. */
	readonly owner: string;
	readonly runId: string;
	readonly title: string;
	readonly createdAt: number;
	readonly childSessionKey?: string;
	status: string;
	terminalSummary?: string;
}

/**
 * OpenClaw's list of tasks as 2026.9.6 keeps it: each session sees its own, a command is marked as cancelled at once
 * and gets its summary when its processes are gone (`confirm`), a sub-agent is cancelled once it has ended.
 */
export function fakeTasks() {
	const all: FakeTask[] = [];
	const asked: string[] = [];
	const events = new EventEmitter();
	const warnings: string[] = [];
	const host: WorkHost = {
		runtime: {
			config: { current: () => ({}) },
			tasks: {
				runs: {
					bindSession: ({ sessionKey }) => ({
						list: () => all.filter(({ owner }) => owner === sessionKey),
						async cancel({ taskId }) {
							asked.push(taskId);
							events.emit(taskId);
							const task = all.find(({ id, owner }) => id === taskId && owner === sessionKey);
							const isStubborn = task?.title.startsWith("stubborn") ?? true;
							if (task && !isStubborn) task.status = "cancelled";
							return { found: task !== undefined, cancelled: !isStubborn };
						},
					}),
				},
			},
		},
		logger: { info: () => {}, warn: (message) => warnings.push(message), error: (message) => warnings.push(message) },
	};
	return {
		...host,
		/** Tasks whose end was asked for, in order. */
		asked,
		warnings,
		add: (task: Omit<FakeTask, "createdAt" | "status" | "runId"> & Partial<FakeTask>) =>
			all.push({ createdAt: Date.now(), status: "running", runId: `exec:${task.id}`, ...task }),
		/** Settles when the end of a task is asked for. */
		cancelled: (id: string) => (asked.includes(id) ? Promise.resolve([]) : once(events, id)),
		/** The processes of a command are gone. */
		confirm(id: string) {
			const task = all.find((candidate) => candidate.id === id);
			if (task) task.terminalSummary = "Command stopped";
		},
	};
}
