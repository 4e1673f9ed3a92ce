import type { OpenClawApproval, OpenClawApprovalOutcome, RunId } from "@xworkmate/contracts";
import { PluginError } from "../platform/plugin-error.ts";
import type { SettledApprovals } from "./settled-approvals.ts";

export interface ApprovalAnswer {
	readonly allow: boolean;
	readonly reason?: string;
}

interface Held {
	readonly approval: OpenClawApproval;
	readonly settle: (answer: ApprovalAnswer) => void;
}

export interface ApprovalDeskOptions {
	readonly announce: (approval: OpenClawApproval, state: "pending" | OpenClawApprovalOutcome) => void;
	/** Shows the gateway that a call is waiting; returns a function to call when the wait has ended. */
	readonly showWaiting: (approval: OpenClawApproval) => () => void;
	readonly settled: SettledApprovals;
	/** The longest time a call is held, in milliseconds; then it is denied. */
	readonly boundMs: number;
}

/** Tool calls that are waiting for a user. The first answer counts. */
export class HeldToolCalls {
	readonly #options: ApprovalDeskOptions;
	readonly #held = new Map<string, Held>();

	constructor(options: ApprovalDeskOptions) {
		this.#options = options;
	}

	/** Holds a call until it is answered, withdrawn, or held too long. */
	async hold(approval: OpenClawApproval, abort: AbortSignal | undefined): Promise<ApprovalAnswer> {
		const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
		this.#held.set(approval.id, { approval, settle: resolve });
		const withdraw = () => this.#withdraw(approval.id, "the run was stopped");
		abort?.addEventListener("abort", withdraw, { once: true });
		const timer = setTimeout(() => this.#withdraw(approval.id, "no one answered in time"), this.#options.boundMs);
		const waitIsOver = this.#options.showWaiting(approval);
		this.#options.announce(approval, "pending");
		if (abort?.aborted) withdraw();
		try {
			return await promise;
		} finally {
			clearTimeout(timer);
			waitIsOver();
			abort?.removeEventListener("abort", withdraw);
		}
	}

	/**
	 * Applies the first answer and announces it to every listener. A later answer gets the outcome of the first.
	 * @throws PluginError APPROVAL_UNKNOWN
	 */
	answer(id: string, answer: ApprovalAnswer): { readonly applied: boolean; readonly outcome: OpenClawApprovalOutcome } {
		const first = this.#options.settled.outcomeOf(id);
		if (first !== undefined) return { applied: false, outcome: first };
		const outcome = answer.allow ? "allowed" : "denied";
		if (!this.#settle(id, answer, outcome)) throw new PluginError("APPROVAL_UNKNOWN", "no tool call with this id is waiting");
		return { applied: true, outcome };
	}

	/** Denies every held call of a run. */
	withdrawRun(runId: RunId, reason: string): void {
		for (const { approval } of [...this.#held.values()]) if (approval.runId === runId) this.#withdraw(approval.id, reason);
	}

	/** Denies every held call. */
	withdrawAll(reason: string): void {
		for (const id of [...this.#held.keys()]) this.#withdraw(id, reason);
	}

	/** The held calls, oldest first. */
	list(sessionKey?: string): readonly OpenClawApproval[] {
		const all = [...this.#held.values()].map(({ approval }) => approval);
		return sessionKey === undefined ? all : all.filter((approval) => approval.sessionKey === sessionKey);
	}

	#withdraw(id: string, reason: string): void {
		this.#settle(id, { allow: false, reason }, "withdrawn");
	}

	#settle(id: string, answer: ApprovalAnswer, outcome: OpenClawApprovalOutcome): boolean {
		const held = this.#held.get(id);
		if (held === undefined) return false;
		this.#held.delete(id);
		this.#options.settled.add(id, outcome);
		held.settle(answer);
		this.#options.announce(held.approval, outcome);
		return true;
	}
}
