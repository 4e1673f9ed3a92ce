import type { ProviderId, RunId, ToolCallState } from "@xworkmate/contracts";
import type { ExitStatus } from "../../../processes/group/process-group.ts";
import { WireError } from "./agent-failure.ts";
import type { IgnoredAnswer } from "./agent-wire.ts";

/** The part of a pino logger that is used. It never receives prompts, other texts or variables. */
export interface AgentLog {
	debug(fields: object, message: string): void;
	warn(fields: object, message: string): void;
}

const late = ["text", "tool_call"] as const;
/** What an agent may report while no turn is open. */
export type Late = (typeof late)[number];

const answerWords: Readonly<Record<IgnoredAnswer, string>> = {
	repeated: "an agent answered a request twice; the second answer was ignored",
	unasked: "an agent answered a request that the bridge did not make; the answer was ignored",
};

/**
 * What the bridge's log says about one agent process: that it ended on its own, how much it wrote that is not a message, which answers were
 * ignored, and what came after the end of a run. The output itself appears only in the run's error, with secrets removed. Each turn has at
 * most one line of each kind, so a hostile agent cannot fill the log.
 */
export class AgentReport {
	/** The run that the agent works for; undefined while it is idle or being tested. */
	#runId: RunId | undefined;
	readonly #agent: ProviderId;
	readonly #log: AgentLog;
	/** True once the agent has ended on its own. The log entry about its end then says how much it wrote that is not a message. */
	#isDead = false;
	#lines = 0;
	#bytes = 0;
	#unreadable = 0;
	readonly #answers = new Map<IgnoredAnswer, number>();
	/** The run that ended last, until the next one begins. */
	#ended: RunId | undefined;
	#isStopped = false;
	/** The problems that have been logged since the latest run ended or was stopped, so that each is logged once. */
	readonly #noted = new Set<string>();
	#lateBefore: readonly Late[] = [];

	constructor(agent: ProviderId, runId: RunId | undefined, log: AgentLog) {
		this.#agent = agent;
		this.#runId = runId;
		this.#log = log;
	}

	begin(runId: RunId): void {
		this.#lateBefore = late.filter((what) => this.#noted.has(what));
		this.#runId = runId;
		this.#ended = undefined;
		this.#isStopped = false;
		this.#noted.clear();
	}

	/**
	 * What the agent reported between the end of the run before and the beginning of this one, if it may have worked on. It belongs to neither.
	 */
	get lateBefore(): readonly Late[] {
		return this.#lateBefore;
	}

	/** Called when the agent has confirmed a stop. If it reports more work before its next run, it has not stopped, and has to be ended. */
	confirmStop(): void {
		this.#isStopped = true;
	}

	/** True from a confirmed stop until the next run. */
	get isStopped(): boolean {
		return this.#isStopped;
	}

	/** Called when the run is over: logs how much the agent wrote that is not a message, and which answers were ignored. */
	finish(): void {
		const garbage = this.#isDead ? undefined : this.#takeGarbage();
		if (garbage !== undefined)
			this.#log.warn({ ...this.#whose(), ...garbage }, "an agent wrote lines that are not messages of its protocol");
		for (const [why, answers] of this.#answers) this.#log.warn({ ...this.#whose(), answers }, answerWords[why]);
		this.#answers.clear();
		this.#unreadable = 0;
		if (this.#runId === undefined) return;
		this.#ended = this.#runId;
		this.#runId = undefined;
	}

	/** Counts an answer that is ignored. After the end of a run, the first of each kind is logged at once. */
	countAnswer(why: IgnoredAnswer): void {
		if (this.#ended === undefined) this.#answers.set(why, (this.#answers.get(why) ?? 0) + 1);
		else this.#noteOnce(why, answerWords[why], { answers: 1 });
	}

	/**
	 * Called with what the agent reports while no turn is open. The first text and the first tool call after the end of a run are logged; what
	 * comes before a run, such as the history of a conversation that is loaded, is not. Returns whether it shows that the agent works: a
	 * call's end after a confirmed stop does not, because the stop may have caused that end.
	 */
	noteLate(what: Late, state?: ToolCallState): boolean {
		const isWork = !this.#isStopped || (state !== "completed" && state !== "failed");
		const key = isWork ? what : "end_of_call";
		this.#noteOnce(key, "an agent's update arrived after the end of its run, and is not part of the answer", { what });
		return isWork;
	}

	/** Called when the agent is ended because it went on working although it had confirmed that its run was stopped. */
	noteNotStopped(): void {
		this.#noteOnce("not_stopped", "an agent went on working after it had confirmed that its run was stopped, so it was ended", {});
	}

	#noteOnce(key: string, message: string, fields: object): void {
		// A run whose stop is confirmed gets no further updates, but it is not over until all of its updates are in the log.
		const runId = this.#ended ?? (this.#isStopped ? this.#runId : undefined);
		if (runId === undefined || this.#noted.has(key)) return;
		this.#noted.add(key);
		this.#log.warn({ agent: this.#agent, runId, ...fields }, message);
	}

	/** How many messages since the prompt should have shown something, but could not be read. */
	get unreadable(): number {
		return this.#unreadable;
	}

	/**
	 * Called just before a prompt is sent. Resets the count of unreadable messages, because earlier ones, such as those of a replayed
	 * conversation, do not belong to the run.
	 */
	beginPrompt(): void {
		this.#unreadable = 0;
	}

	countUnreadable(): void {
		this.#unreadable++;
	}

	/** Counts a line that is not a message. */
	countGarbage(bytes: number): void {
		this.#lines++;
		this.#bytes += bytes;
	}

	/**
	 * Called when the agent has ended on its own. Returns a function that logs the end once its cause is known; the run may be over by then.
	 * Call that function without an exit status if the agent closed its connection but kept running.
	 */
	died(): (exit: ExitStatus | undefined, reason: unknown) => void {
		const whose = this.#whose();
		this.#isDead = true;
		return (exit, reason) => {
			const garbage = this.#takeGarbage();
			// The bridge ends an agent that breaks the protocol, so its exit status says nothing.
			const how =
				reason instanceof WireError
					? { reason: reason.message }
					: exit === undefined
						? { reason: "it closed its connection" }
						: { exitCode: exit.code, signal: exit.signal };
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
