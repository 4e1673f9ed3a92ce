import { setTimeout as pause } from "node:timers/promises";
import { type Approval, type ApprovalDecision, type ApprovalId, type Asker, ContractError, type ThreadId } from "@xworkmate/contracts";
import type { LiveRun } from "../log/live-run.ts";
import { type Clock, timestamp } from "../ports/clock.ts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";
import type { OutsideAnswer, PermissionAnswer, PermissionRequest } from "../ports/provider.ts";
import type { RunRecord } from "../ports/run-record.ts";
import type { RunStore } from "../ports/run-store.ts";
import { type Allowed, type ApprovalPolicy, allowedBy, type Grant, holds, type ScopedRequest } from "./approval-policy.ts";
import { grantScope } from "./grant-scope.ts";

export interface ApprovalBrokerOptions {
	readonly store: RunStore;
	readonly clock: Clock;
	readonly newApprovalId: () => ApprovalId;
	readonly policy: ApprovalPolicy;
	/** How long a request stays open; then it counts as a deny. */
	readonly approvalMs: number;
	/** How long `allow_window` holds. */
	readonly windowSeconds: number;
}

/** A decision is answered to the user after this long, also while the runtime has not said whether it counts. */
const BRING_MS = 5_000;
/** Who decided a request on the runtime's side. */
const OUTSIDE = "gateway";

interface Open {
	readonly run: LiveRun;
	readonly record: Approval;
	readonly request: PermissionRequest;
	settle(answer: PermissionAnswer): void;
}

/** Where agents ask and persons answer. Every question and every answer is in the run's log first. */
export class ApprovalBroker {
	readonly #options: ApprovalBrokerOptions;
	readonly #open = new Map<ApprovalId, Open>();
	/** They cover nothing from the moment in which that was asked for, whatever a reader of the store saw before. */
	readonly #revoked = new Set<ApprovalId>();

	constructor(options: ApprovalBrokerOptions) {
		this.#options = options;
	}

	/** Records the question, waits for a person, the policy or the expiry. Never rejects. */
	async ask(run: LiveRun, request: PermissionRequest): Promise<PermissionAnswer> {
		const given = await this.#grants(run);
		const { policy, clock } = this.#options;
		const now = clock.now();
		const scoped = { request, scope: grantScope(request) };
		const grants = given.filter(({ approval }) => !this.#revoked.has(approval.approvalId));
		// From here to the log nothing waits: a grant that is revoked later was used before.
		const allowed = allowedBy(policy, grants, askerOf(run.record), scoped, now);
		const pending = this.#record(run, scoped, now);
		if (allowed !== undefined) return this.#allow(run, pending, allowed, request, now);
		return this.#wait(run, pending, request);
	}

	/**
	 * Decides. The first decision wins, also against one that was given on the runtime's side; a later one gets the
	 * recorded outcome.
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
		let carried: Promise<OutsideAnswer | undefined> | undefined;
		const written = open.run.durable().then(() => {
			if (applied) carried = this.#carry(open, decision);
		});
		await open.run.answered(written, "your answer is saved as soon as there is space");
		const other = await Promise.race([carried, pause(BRING_MS, undefined, { ref: false })]);
		return { record: await this.#recorded(approvalId), applied: applied && other === undefined };
	}

	/** Brings a written decision to the agent; the answer that counted there instead, or undefined. */
	async #carry(open: Open, decision: ApprovalDecision | "expired"): Promise<OutsideAnswer | undefined> {
		if (!this.#open.delete(open.record.approvalId)) return undefined;
		const other = await this.#bring(open, decision);
		open.settle({ decision: other ?? decision });
		return other;
	}

	async #bring({ run, record, request }: Omit<Open, "settle">, decision: ApprovalDecision | "expired"): Promise<OutsideAnswer | undefined> {
		const answer = decision === "deny" || decision === "expired" ? decision : "allow";
		const other = await request.outside?.bring(answer);
		if (other === undefined) return undefined;
		const decidedAt = timestamp(this.#options.clock.now());
		const outcome =
			other === "withdrawn" ? ({ state: other } as const) : ({ state: "decided", decision: other, decidedBy: OUTSIDE } as const);
		run.dispatch({ type: "correct", record: { ...record, ...outcome, decidedAt } });
		await run.durable();
		return other;
	}

	/** Somebody answered on the runtime's side, before anybody did here. */
	async #onOutside(approvalId: ApprovalId, other: OutsideAnswer): Promise<void> {
		const open = this.#open.get(approvalId);
		if (open === undefined) return;
		const { windowSeconds } = this.#options;
		const applied = open.run.dispatch(
			other === "withdrawn"
				? { type: "withdraw", approvalId }
				: { type: "answer", approvalId, decision: other, decidedBy: OUTSIDE, windowSeconds },
		);
		await open.run.durable();
		if (applied) this.#settle(approvalId, { decision: other });
	}

	/** The run is stopping or over: its open questions were withdrawn in the log. */
	withdraw(run: LiveRun): void {
		for (const [approvalId, open] of this.#open) {
			if (open.run === run) this.#settle(approvalId, { decision: "withdrawn" });
		}
	}

	/** Grants that hold now, newest first. */
	async grants(threadId?: ThreadId): Promise<readonly Approval[]> {
		const now = this.#options.clock.now();
		const decided = await this.#options.store.grants(threadId);
		return decided.filter(
			(approval) => approval.grantScope !== undefined && holds(approval, now) && !this.#revoked.has(approval.approvalId),
		);
	}

	/**
	 * Takes a grant back, written down before it is answered. A repeat gets the recorded outcome.
	 * @throws ContractError NOT_FOUND, INVALID_PARAMS (no grant was given), DISK_FULL (it covers nothing more all the same)
	 */
	async revoke(approvalId: ApprovalId): Promise<{ record: Approval; applied: boolean }> {
		const { store, clock } = this.#options;
		const record = await this.#recorded(approvalId);
		if (record.decision !== "allow_window")
			throw new ContractError("INVALID_PARAMS", { detail: "This request was not answered with a permission for a time." });
		this.#revoked.add(approvalId);
		try {
			const applied = await store.revokeGrant(approvalId, timestamp(clock.now()));
			return { record: await this.#recorded(approvalId), applied };
		} catch (error) {
			if (!isDiskFull(error)) throw error;
			throw diskFull("the permission is off until the bridge starts again; revoke it again once there is space", error);
		}
	}

	async #grants(run: LiveRun): Promise<readonly Grant[]> {
		const { store } = this.#options;
		const approvals = await store.grants(run.record.threadId);
		const found = await Promise.all(approvals.map(async (approval) => ({ approval, of: await store.findRun(approval.runId) })));
		return found.flatMap(({ approval, of }) => (of === undefined ? [] : [{ approval, asker: askerOf(of) }]));
	}

	#record(run: LiveRun, { request, scope }: ScopedRequest, now: number): Approval {
		const { newApprovalId, approvalMs, windowSeconds } = this.#options;
		const options = scope === undefined ? request.options.filter((option) => option !== "allow_window") : request.options;
		return {
			approvalId: newApprovalId(),
			runId: run.runId,
			threadId: run.record.threadId,
			asker: askerOf(run.record),
			...(request.toolCallId === undefined ? {} : { toolCallId: request.toolCallId }),
			title: request.title,
			toolKind: request.toolKind,
			...(request.input === undefined ? {} : { input: request.input }),
			...(request.directory === undefined ? {} : { directory: request.directory }),
			inputHash: request.inputHash,
			options: [...options],
			...(scope === undefined ? {} : { grantScope: scope, windowSeconds }),
			requestedAt: timestamp(now),
			expiresAt: timestamp(now + approvalMs),
			state: "pending",
		};
	}

	async #allow(run: LiveRun, pending: Approval, { by }: Allowed, request: PermissionRequest, now: number): Promise<PermissionAnswer> {
		const record: Approval = { ...pending, state: "decided", decision: "allow_once", ...traceOf(by), decidedAt: timestamp(now) };
		if (!run.dispatch({ type: "ask", record })) return { decision: "withdrawn" };
		await run.durable();
		return { decision: (await this.#bring({ run, record: pending, request }, "allow_once")) ?? "allow_once" };
	}

	async #wait(run: LiveRun, record: Approval, request: PermissionRequest): Promise<PermissionAnswer> {
		if (!run.dispatch({ type: "ask", record })) return { decision: "withdrawn" };
		const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
		this.#open.set(record.approvalId, { run, record, request, settle: resolve });
		void request.outside?.given.then((other) => this.#onOutside(record.approvalId, other));
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
		if (applied) await this.#carry(open, "expired");
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

function askerOf({ provider, projectDirectory, input }: RunRecord): Asker {
	const { target, providerId } = provider;
	const workingDirectory = projectDirectory ?? input.remoteWorkingDirectoryHint;
	return { target, providerId, ...(workingDirectory === undefined ? {} : { workingDirectory }) };
}

/** How the record says who allowed it. */
function traceOf(by: Allowed["by"]): Pick<Approval, "decidedBy" | "grant"> {
	if (typeof by === "string") return { decidedBy: by };
	const { approvalId, decidedAt, windowSeconds } = by;
	const isKnown = decidedAt !== undefined && windowSeconds !== undefined;
	return { decidedBy: `window:${approvalId}`, ...(isKnown ? { grant: { approvalId, decidedAt, windowSeconds } } : {}) };
}
