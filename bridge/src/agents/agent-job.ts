import type { AgentJob, AgentStage, Unavailable } from "@xworkmate/contracts";
import type { NpmSource } from "../providers/catalogue/catalogue.ts";
import { BoundedTail } from "./bounded-tail.ts";
import type { InstallProgress } from "./install-agent.ts";
import { failure, failureOfSystem, InstallFailure } from "./install-failure.ts";

export interface JobParts {
	readonly kind: AgentJob["kind"];
	readonly source: NpmSource;
	readonly wholeMs: number;
	/** The current time, in RFC 3339. */
	readonly now: () => string;
	readonly onChanged: () => void;
	/** Called with the cause of a failure that has no message for the user. */
	readonly onFault: (error: unknown) => void;
}

/** An installation as the interface shows it, and the way to cancel it. */
export class Job implements InstallProgress {
	readonly tail = new BoundedTail();
	readonly #parts: JobParts;
	readonly #cancel = new AbortController();
	readonly #tooLong: AbortSignal;
	#shown: AgentJob;

	constructor(parts: JobParts) {
		const { kind, source, wholeMs, now } = parts;
		this.#parts = parts;
		this.#tooLong = AbortSignal.timeout(wholeMs);
		this.#shown = { kind, state: "running", version: source.version, stage: "resolving", startedAt: now() };
	}

	get shown(): AgentJob {
		return this.#shown;
	}

	get isRunning(): boolean {
		return this.#shown.state === "running";
	}

	cancel(): void {
		this.#cancel.abort(new Error("cancelled"));
	}

	/** Does the work. Returns true if it succeeded; any other end is shown with the agent. Never rejects. */
	async run(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
		try {
			await work(AbortSignal.any([this.#cancel.signal, this.#tooLong]));
			return true;
		} catch (error) {
			this.#end(error);
			return false;
		}
	}

	stage(stage: AgentStage): void {
		this.#show({ stage });
	}

	packages(done: number, total: number): void {
		this.#show({ packages: { done, total } });
	}

	bytes(bytes: number): void {
		this.#show({ bytes });
	}

	#end(error: unknown): void {
		const endedAt = this.#parts.now();
		if (this.#cancel.signal.aborted) this.#show({ state: "cancelled", endedAt });
		else this.#show({ state: "failed", endedAt, problem: this.#problemOf(error), log: this.tail.text() });
	}

	#problemOf(error: unknown): Unavailable {
		const { source, wholeMs, onFault } = this.#parts;
		if (error instanceof InstallFailure) return error.problem;
		if (this.#tooLong.aborted)
			return failure(
				"INSTALL_TIMED_OUT",
				`The installation took longer than ${Math.round(wholeMs / 60_000)} min, so it was stopped.`,
				"Check the connection, then try again.",
			).problem;
		const known = failureOfSystem(error, source);
		if (known !== undefined) return known.problem;
		onFault(error);
		return failure("INSTALL_FAILED", "Something went wrong in the bridge.", "Try again. The bridge's log has the cause.").problem;
	}

	#show(change: Partial<AgentJob>): void {
		this.#shown = { ...this.#shown, ...change };
		this.#parts.onChanged();
	}
}
