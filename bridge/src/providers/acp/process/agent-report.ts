import type { ProviderId, RunId } from "@xworkmate/contracts";
import type { ExitStatus } from "../../../processes/group/process-group.ts";
import { WireError } from "./agent-failure.ts";

/** The part of a pino logger that is used; it never receives prompts, texts or variables. */
export interface AgentLog {
	debug(fields: object, message: string): void;
	warn(fields: object, message: string): void;
}

/**
 * What the bridge's log says of one agent process: that it ended although nobody ended it, and how much it wrote that is not a message.
 * What it wrote is in the run's error, with its secrets removed. One line a turn, so a hostile agent cannot fill the log.
 */
export class AgentReport {
	/** The run that it works for; undefined while it is idle or tested. */
	#runId: RunId | undefined;
	readonly #agent: ProviderId;
	readonly #log: AgentLog;
	/** Its end is logged, with what it wrote until then. */
	#isDead = false;
	#lines = 0;
	#bytes = 0;

	constructor(agent: ProviderId, runId: RunId | undefined, log: AgentLog) {
		this.#agent = agent;
		this.#runId = runId;
		this.#log = log;
	}

	begin(runId: RunId): void {
		this.#runId = runId;
	}

	/** Its run is over, which is told of what it wrote for it. */
	finish(): void {
		const garbage = this.#isDead ? undefined : this.#takeGarbage();
		if (garbage !== undefined)
			this.#log.warn({ ...this.#whose(), ...garbage }, "an agent wrote lines that are not messages of its protocol");
		this.#runId = undefined;
	}

	/** A line that is not a message. */
	countGarbage(bytes: number): void {
		this.#lines++;
		this.#bytes += bytes;
	}

	/** It ended although nobody ended it. Returns what logs it once it is known how: its run may be over by then. */
	died(): (exit: ExitStatus, reason: unknown) => void {
		const whose = this.#whose();
		this.#isDead = true;
		return ({ code, signal }, reason) => {
			const garbage = this.#takeGarbage();
			// How a process ended that broke the protocol says nothing: the bridge ended it for that.
			const how = reason instanceof WireError ? { reason: reason.message } : { exitCode: code, signal };
			this.#log.warn({ ...whose, ...how, ...garbage }, "an agent ended unexpectedly");
		};
	}

	#whose(): object {
		return { agent: this.#agent, ...(this.#runId && { runId: this.#runId }) };
	}

	#takeGarbage(): { readonly garbageLines: number; readonly garbageBytes: number } | undefined {
		if (this.#lines === 0) return undefined;
		const garbage = { garbageLines: this.#lines, garbageBytes: this.#bytes };
		[this.#lines, this.#bytes] = [0, 0];
		return garbage;
	}
}
