import type { RunId } from "@xworkmate/contracts";
import type { RunLog } from "../../ports/runs/run-service.ts";
import type { StepStore } from "../../ports/runs/run-step.ts";
import type { Admission } from "../domain/admission.ts";
import type { LiveRun } from "./live-run.ts";

interface ParkedRunsDeps {
	readonly admission: Admission;
	readonly log: Pick<RunLog, "onCommittedAny">;
	readonly steps: StepStore;
	/** Called when a run is parked, and everything about it is in the log. */
	readonly onPark: (runId: RunId) => void;
	/** Called when a run has released its slot, or may continue. */
	readonly onRoom: () => void;
}

/** Runs whose programs are waiting only for the user. They have no process and take up no slot until one of their requests is decided. */
export class ParkedRuns {
	readonly #deps: ParkedRunsDeps;

	constructor(deps: ParkedRunsDeps) {
		this.#deps = deps;
		deps.log.onCommittedAny((runId, events) => {
			const isDecided = events.some(({ event }) => event.type === "approval" && event.record.state !== "pending");
			if (isDecided) this.#goOn(runId);
		});
	}

	/** `waiting`: how many calls of the run's program have no answer. */
	park(run: LiveRun, waiting: number): void {
		const { admission, onPark, onRoom } = this.#deps;
		admission.park(run.runId);
		onPark(run.runId);
		// A request may have been decided, or a call begun, while the program was being ended.
		if (run.state.pendingApprovals.length < waiting) admission.unpark(run.runId);
		onRoom();
	}

	/**
	 * Makes a run of an earlier bridge continue as soon as a slot is free, because more of these runs may have been answered than there
	 * are slots.
	 */
	putOff(runId: RunId): void {
		const { admission } = this.#deps;
		admission.park(runId);
		admission.unpark(runId);
	}

	/** How many calls of an earlier bridge's run are waiting for the user; 0 if any call is waiting for something else. */
	async waitingOf(run: LiveRun): Promise<number> {
		if (run.state.pendingApprovals.length === 0) return 0;
		const open = await this.#deps.steps.countOpenCalls(run.runId);
		return run.state.pendingApprovals.length === open ? open : 0;
	}

	/** Takes a slot for a cancelled run, so that it can end at once. False: the run is not parked. */
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
