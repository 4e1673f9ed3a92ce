import { type Approval, type ApprovalDecision, type ApprovalId, ContractError } from "@xworkmate/contracts";
import type { PermissionAnswer, PermissionRequest } from "../providers/provider.ts";
import { type Clock, timestamp } from "../runs/clock.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { type ApprovalPolicy, allowedBy, type Window } from "./approval-policy.ts";

export interface ApprovalDeskOptions {
	readonly store: RunStore;
	readonly clock: Clock;
	readonly newApprovalId: () => ApprovalId;
	readonly policy: ApprovalPolicy;
	/** How long a request stays open; then it counts as a deny. */
	readonly approvalMs: number;
	/** How long `allow_window` holds. */
	readonly windowSeconds: number;
}

interface Open {
	readonly run: LiveRun;
	readonly record: Approval;
	settle(answer: PermissionAnswer): void;
}

/** Where agents ask and persons answer. Every question and every answer is in the run's log first. */
export class ApprovalDesk {
	readonly #options: ApprovalDeskOptions;
	readonly #open = new Map<ApprovalId, Open>();

	constructor(options: ApprovalDeskOptions) {
		this.#options = options;
	}

	/** Records the question, waits for a person, the policy or the expiry. Never rejects. */
	async ask(run: LiveRun, request: PermissionRequest): Promise<PermissionAnswer> {
		const windows = await this.#windows(run);
		const { policy, clock } = this.#options;
		const now = clock.now();
		const allowed = allowedBy(policy, windows, run.record.provider.providerId, request, now);
		const pending = this.#record(run, request, now);
		if (allowed !== undefined) return this.#allow(run, pending, allowed, now);
		return this.#wait(run, pending);
	}

	/**
	 * Decides. The first decision wins; a later one gets the recorded outcome.
	 * @throws ContractError NOT_FOUND, INVALID_PARAMS (an option that was not offered), DISK_FULL (it counts, and the
	 * agent hears of it, once it is written down)
	 */
	async decide(approvalId: ApprovalId, decision: ApprovalDecision, decidedBy: string): Promise<{ record: Approval; applied: boolean }> {
		const open = this.#open.get(approvalId);
		if (open === undefined) return { record: await this.#recorded(approvalId), applied: false };
		if (!open.record.options.includes(decision)) {
			const detail = `This request can be answered with: ${open.record.options.join(", ")}.`;
			throw new ContractError("INVALID_PARAMS", { detail });
		}
		const { windowSeconds } = this.#options;
		const applied = open.run.dispatch({ type: "answer", approvalId, decision, decidedBy, windowSeconds });
		const settled = open.run.durable().then(() => {
			if (applied) this.#settle(approvalId, { decision });
		});
		await open.run.answered(settled, "your answer is saved as soon as there is space");
		return { record: await this.#recorded(approvalId), applied };
	}

	/** The run is stopping or over: its open questions were withdrawn in the log. */
	withdraw(run: LiveRun): void {
		for (const [approvalId, open] of this.#open) {
			if (open.run === run) this.#settle(approvalId, { decision: "withdrawn" });
		}
	}

	async #windows(run: LiveRun): Promise<readonly Window[]> {
		const { store } = this.#options;
		const approvals = await store.windowApprovals(run.record.threadId);
		const found = await Promise.all(approvals.map(async (approval) => ({ approval, of: await store.findRun(approval.runId) })));
		return found.flatMap(({ approval, of }) => (of === undefined ? [] : [{ approval, providerId: of.provider.providerId }]));
	}

	#record(run: LiveRun, request: PermissionRequest, now: number): Approval {
		const { newApprovalId, approvalMs } = this.#options;
		return {
			approvalId: newApprovalId(),
			runId: run.runId,
			threadId: run.record.threadId,
			...(request.toolCallId === undefined ? {} : { toolCallId: request.toolCallId }),
			title: request.title,
			toolKind: request.toolKind,
			...(request.input === undefined ? {} : { input: request.input }),
			inputHash: request.inputHash,
			options: [...request.options],
			requestedAt: timestamp(now),
			expiresAt: timestamp(now + approvalMs),
			state: "pending",
		};
	}

	async #allow(run: LiveRun, pending: Approval, decidedBy: string, now: number): Promise<PermissionAnswer> {
		const record: Approval = { ...pending, state: "decided", decision: "allow_once", decidedBy, decidedAt: timestamp(now) };
		if (!run.dispatch({ type: "ask", record })) return { decision: "withdrawn" };
		await run.durable();
		return { decision: "allow_once" };
	}

	async #wait(run: LiveRun, record: Approval): Promise<PermissionAnswer> {
		if (!run.dispatch({ type: "ask", record })) return { decision: "withdrawn" };
		const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
		this.#open.set(record.approvalId, { run, record, settle: resolve });
		const timer = setTimeout(() => void this.#expire(record.approvalId), this.#options.approvalMs);
		try {
			return await promise;
		} finally {
			clearTimeout(timer);
		}
	}

	async #expire(approvalId: ApprovalId): Promise<void> {
		const open = this.#open.get(approvalId);
		if (open === undefined) return;
		const applied = open.run.dispatch({ type: "expire", approvalId });
		await open.run.durable();
		if (applied) this.#settle(approvalId, { decision: "expired" });
	}

	#settle(approvalId: ApprovalId, answer: PermissionAnswer): void {
		this.#open.get(approvalId)?.settle(answer);
		this.#open.delete(approvalId);
	}

	async #recorded(approvalId: ApprovalId): Promise<Approval> {
		const record = await this.#options.store.findApproval(approvalId);
		if (record === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no request ${approvalId}.` });
		return record;
	}
}
