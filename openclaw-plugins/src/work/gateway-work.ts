import { setTimeout as pause } from "node:timers/promises";
import { openClawWorkUnknown } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { z } from "zod";
import type { PluginLogger, PluginRuntime } from "../host/plugin-api.ts";
import { cutText } from "../platform/cut-text.ts";
import type { RunRecord } from "../runs/run-record.ts";

/**
 * How long `stop` waits: longer than the 5 s after which OpenClaw kills a command that ignores the first signal, and shorter than the 15 s
 * that the bridge waits for the plugin to record an end that the gateway has reported.
 */
const STOP_MS = 10_000;
const LOOK_MS = 50;
const MAX_NAMES = 20;
const MAX_NAME_BYTES = 200;

const optionalText = z.string().optional().catch(undefined);
const Task = z.object({
	id: z.string(),
	status: z.string(),
	createdAt: z.number(),
	title: z.string().catch("a task without a title"),
	runId: optionalText,
	childSessionKey: optionalText,
	terminalSummary: optionalText,
});
type Task = z.infer<typeof Task>;

interface RunningTask {
	readonly task: Task;
	/** The session that owns the task. */
	readonly sessionKey: string;
}

/** The part of the gateway's plugin API that is used here. */
export interface WorkHost {
	readonly runtime: Pick<PluginRuntime, "tasks" | "config">;
	readonly logger: PluginLogger;
}

/**
 * Tracks what runs have started in addition to their own turn, according to OpenClaw's task list: background commands (including those that
 * OpenClaw moved to the background after 10 s), sub-agents, and what these started in turn. A process that has detached itself from its
 * command is not listed.
 */
export class GatewayWork {
	readonly #host: WorkHost;
	readonly #stopMs: number;

	constructor(host: WorkHost, stopMs: number = STOP_MS) {
		this.#host = host;
		this.#stopMs = stopMs;
	}

	/** Names of the tasks that a run started and that are still running; `except`: ids of tasks that are awaited elsewhere. */
	running(record: RunRecord, except: readonly string[] = []): readonly string[] {
		return this.#named(() => this.#list(record).filter(({ task }) => !except.includes(task.id)));
	}

	/** Ends what a run started. Settles with the names of tasks that have not ended within the time limit. */
	async stop(record: RunRecord): Promise<readonly string[]> {
		const until = performance.now() + this.#stopMs;
		const asking = new Set<string>();
		for (;;) {
			const names = this.#named(() => {
				const running = this.#list(record);
				for (const work of running) if (isActive(work.task) && !asking.has(work.task.id)) void this.#cancel(work, asking);
				return running;
			});
			if (names.length === 0 || performance.now() >= until) return names;
			await pause(LOOK_MS);
		}
	}

	async #cancel({ task, sessionKey }: RunningTask, asking: Set<string>): Promise<void> {
		const { runtime, logger } = this.#host;
		asking.add(task.id);
		try {
			await runtime.tasks.runs.bindSession({ sessionKey }).cancel({ taskId: task.id, cfg: runtime.config.current() });
		} catch (error) {
			logger.warn(`xworkmate: task ${task.id} could not be stopped: ${errorMessage(error)}`);
		} finally {
			asking.delete(task.id);
		}
	}

	/** A session has one run at a time, so all of its tasks since the run was prepared are the run's. */
	#list({ sessionKey, preparedAt }: RunRecord): readonly RunningTask[] {
		const seen = new Set<string>();
		const below = (owner: string, since: number): RunningTask[] => {
			if (seen.has(owner)) return [];
			seen.add(owner);
			const tasks = z.array(z.unknown()).parse(this.#host.runtime.tasks.runs.bindSession({ sessionKey: owner }).list());
			return tasks.flatMap((view) => {
				const task = Task.safeParse(view).data;
				if (task === undefined || task.createdAt < since) return [];
				const children = task.childSessionKey === undefined ? [] : below(task.childSessionKey, 0);
				return isRunning(task) ? [{ task, sessionKey: owner }, ...children] : children;
			});
		};
		return below(sessionKey, Date.parse(preparedAt));
	}

	#named(list: () => readonly RunningTask[]): readonly string[] {
		try {
			return list()
				.slice(0, MAX_NAMES)
				.map(({ task }) => cutText(task.title, MAX_NAME_BYTES).text);
		} catch (error) {
			this.#host.logger.warn(`xworkmate: the gateway's tasks could not be listed: ${errorMessage(error)}`);
			return [openClawWorkUnknown];
		}
	}
}

function isActive({ status }: Task): boolean {
	return status === "queued" || status === "running";
}

/** OpenClaw 2026.9 marks a command as cancelled when its end is requested, and adds a summary once its processes are gone. */
function isRunning(task: Task): boolean {
	const isAsked = task.status === "cancelled" && task.runId?.startsWith("exec:") === true;
	return isActive(task) || (isAsked && task.terminalSummary === undefined);
}
