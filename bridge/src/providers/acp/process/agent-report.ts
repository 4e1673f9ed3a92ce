import type { ProviderId, RunId } from "@xworkmate/contracts";
import type { ExitStatus } from "../../../processes/group/process-group.ts";
import { WireError } from "./agent-failure.ts";

/** The part of a pino logger that is used. It never receives prompts, other texts or variables. */
export interface AgentLog {
	debug(fields: object, message: string): void;
	warn(fields: object, message: string): void;
}

/**
 * What the bridge's log says about one agent process: that it ended on its own, and how much it wrote that is not a message. The output
 * itself appears only in the run's error, with secrets removed. There is one line per turn, so a hostile agent cannot fill the log.
 */
export class AgentReport {
	/** The run that the agent works for; undefined while it is idle or being tested. */
	#runId: RunId | undefined;
	readonly #agent: ProviderId;
	readonly #log: AgentLog;
	/** True: the end is logged, with the amount written until then. */
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

	/** Called when the run is over: logs the amount written for it. */
	finish(): void {
		const garbage = this.#isDead ? undefined : this.#takeGarbage();
		if (garbage !== undefined)
			this.#log.warn({ ...this.#whose(), ...garbage }, "an agent wrote lines that are not messages of its protocol");
		this.#runId = undefined;
	}

	/** Counts a line that is not a message. */
	countGarbage(bytes: number): void {
		this.#lines++;
		this.#bytes += bytes;
	}

	/**
	 * Called when the agent has ended on its own. Returns a function that logs the end once its cause is known, by which time the run may be
	 * over.
	 */
	died(): (exit: ExitStatus, reason: unknown) => void {
		const whose = this.#whose();
		this.#isDead = true;
		return ({ code, signal }, reason) => {
			const garbage = this.#takeGarbage();
			// If the agent broke the protocol, its exit status says nothing, because the bridge ended it.
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
