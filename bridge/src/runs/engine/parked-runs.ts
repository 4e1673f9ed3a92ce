import type { RunId } from "@xworkmate/contracts";
import type { RunLog } from "../../ports/run-service.ts";
import type { StepStore } from "../../ports/run-step.ts";
import type { Admission } from "../domain/admission.ts";
import type { LiveRun } from "./live-run.ts";

interface ParkedRunsDeps {
	readonly admission: Admission;
	readonly log: Pick<RunLog, "onCommittedAny">;
	readonly steps: StepStore;
	/** A run is parked, and everything of it is in the log. */
	readonly onPark: (runId: RunId) => void;
	/** A run has given back its place, or may go on. */
	readonly onRoom: () => void;
}

/** Runs whose programs wait for persons alone: they have no process and no place, until one of their requests is decided. */
export class ParkedRuns {
	readonly #deps: ParkedRunsDeps;

	constructor(deps: ParkedRunsDeps) {
		this.#deps = deps;
		deps.log.onCommittedAny((runId, events) => {
			const isDecided = events.some(({ event }) => event.type === "approval" && event.record.state !== "pending");
			if (isDecided) this.#goOn(runId);
		});
	}

	/** `waiting`: how many calls of its program have no answer. */
	park(run: LiveRun, waiting: number): void {
		const { admission, onPark, onRoom } = this.#deps;
		admission.park(run.runId);
		onPark(run.runId);
		// One may have been decided, or begun, while the program was ended.
		if (run.state.pendingApprovals.length < waiting) admission.unpark(run.runId);
		onRoom();
	}

	/** A run of an earlier bridge that goes on as soon as there is a place: of those that were decided there may be more than places. */
	putOff(runId: RunId): void {
		const { admission } = this.#deps;
		admission.park(runId);
		admission.unpark(runId);
	}

	/** How many calls of a run of an earlier bridge wait for a person; 0 if one of its calls does not. */
	async waitingOf(run: LiveRun): Promise<number> {
		if (run.state.pendingApprovals.length === 0) return 0;
		const open = await this.#deps.steps.countOpenCalls(run.runId);
		return run.state.pendingApprovals.length === open ? open : 0;
	}

	/** Takes a place for a run that was cancelled, so that it can end at once. False: it is not parked. */
	takeBack({ runId, record }: LiveRun): boolean {
		const { admission } = this.#deps;
		if (!admission.isParked(runId)) return false;
		admission.release(runId);
		admission.resume(runId, record.threadId, record.provider.target);
		return true;
	}

	#goOn(runId: RunId): void {
		const { admission, onRoom } = this.#deps;
		if (!admission.isParked(runId)) return;
		admission.unpark(runId);
		onRoom();
	}
}
