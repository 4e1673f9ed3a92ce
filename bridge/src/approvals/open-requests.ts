import type { Approval, ApprovalId } from "@xworkmate/contracts";
import type { RunRecord } from "../ports/runs/run-record.ts";
import type { RunCommand } from "../runs/domain/decide.ts";
import { type ApprovalPolicy, allowedBy, type ScopedRequest } from "./approval-policy.ts";
import { askerOf } from "./asker.ts";
import { outcomeBy } from "./unasked-outcome.ts";

interface OpenRequest {
	readonly run: { readonly record: RunRecord; dispatch(command: Extract<RunCommand, { type: "answer" }>): boolean };
	readonly scoped: ScopedRequest;
	/** In milliseconds since the epoch. */
	readonly expiresAt: number;
}

/** Without what the configuration allows, because a request that it allows is never open. */
const none: ApprovalPolicy = { allowProviders: new Set(), allowCommands: new Set() };

/** The requests of agents that wait for an answer. A grant that is given while they wait allows those that it covers. */
export class OpenRequests {
	readonly #open = new Map<ApprovalId, OpenRequest>();

	/** Dispose of the result to remove the request. */
	add(approvalId: ApprovalId, request: OpenRequest): Disposable {
		this.#open.set(approvalId, request);
		return { [Symbol.dispose]: () => this.#open.delete(approvalId) };
	}

	/** Allows once each open request of the grant's thread that would not have been asked if the grant had been given before. */
	allowCovered(grant: Approval, now: number): void {
		const { asker, threadId, decidedAt, windowSeconds } = grant;
		if (asker === undefined || decidedAt === undefined || windowSeconds === undefined) return;
		for (const [approvalId, { run, scoped, expiresAt }] of [...this.#open]) {
			// After a sleep of the machine, a request may still be open for a moment after its time.
			if (run.record.threadId !== threadId || now >= expiresAt) continue;
			const allowed = allowedBy(none, [{ approval: grant, asker }], askerOf(run.record), scoped, now);
			if (allowed === undefined) continue;
			const { grant: used, decidedBy = "" } = outcomeBy(allowed.by, decidedAt);
			run.dispatch({ type: "answer", approvalId, decision: "allow_once", decidedBy, windowSeconds, ...(used && { grant: used }) });
		}
	}
}
