import {
	type Approval,
	type ApprovalDecision,
	type ApprovalId,
	ContractError,
	omitUndefined,
	type Redaction,
	type RunId,
	type ThreadId,
	type ToolId,
} from "@xworkmate/contracts";
import type { PermissionAnswer, PermissionRequest } from "../ports/agents/provider.ts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { LoggedEvent } from "../ports/runs/run-event.ts";
import type { RunRecord } from "../ports/runs/run-record.ts";
import type { StepStore } from "../ports/runs/run-step.ts";
import type { ApprovalStore } from "../ports/tools/approval-store.ts";
import type { CallRequest } from "../ports/tools/call-policy.ts";
import type { TypedTool } from "../ports/tools/tool-hosts.ts";
import type { RunCommand } from "../runs/domain/decide.ts";
import { askedWords } from "../runs/domain/reported-receipts.ts";
import { actorRefused } from "./actor-refused.ts";
import { answerTo } from "./answer-to.ts";
import { type ApprovalPolicy, allowedBy, type Grant, holds, type ScopedRequest } from "./approval-policy.ts";
import { asOfNow, type StateOfVersion } from "./as-of-now.ts";
import { askerOf } from "./asker.ts";
import { callApproval } from "./call-approval.ts";
import { callInput } from "./call-input.ts";
import { grantScope } from "./grant-scope.ts";
import { OpenRequests } from "./open-requests.ts";
import { RevokedGrants } from "./revoked-grants.ts";
import { unasked } from "./unasked-outcome.ts";
import type { WaitingCalls } from "./waiting-calls.ts";

export interface ApprovalBrokerOptions {
	readonly approvals: ApprovalStore;
	readonly steps: StepStore;
	readonly waiting: WaitingCalls;
	readonly versionState: StateOfVersion;
	/** True if a rule of the user denies all calls to the tool. */
	readonly isForbidden: (toolId: ToolId) => boolean;
	/** Undefined for a run that has ended. */
	readonly streamOf: (runId: RunId) => ApprovalStream | undefined;
	readonly clock: Clock;
	readonly newApprovalId: () => ApprovalId;
	readonly policy: ApprovalPolicy;
	/** How long a request stays open; then it is denied. */
	readonly approvalMs: number;
	/** How long `allow_window` holds. */
	readonly windowSeconds: number;
	/** Hides the known secrets in the parts of an input that are shown. */
	readonly redaction: Redaction;
}

/** How long `decide` waits for the runtime to confirm a decision before it returns without the confirmation. */
const BRING_MS = 5_000;
/** Recorded as the actor of a decision that was made at the runtime. */
const OUTSIDE = "gateway";

/** The part of a run's log that the broker needs. */
export interface ApprovalStream {
	readonly record: RunRecord;
	/** Decides and schedules the commit. True if the command had an effect. */
	dispatch(command: ApprovalCommand): boolean;
	/** Settles when everything decided so far is durable. */
	durable(): Promise<void>;
	/** Waits for `work` on behalf of a caller that must get an answer. On a full disk, rejects with DISK_FULL, which quotes `meanwhile`. */
	answered<T>(work: Promise<T>, meanwhile: string): Promise<T>;
	/** Calls back after each commit. Returns a function that unsubscribes. */
	onCommitted(listener: (events: readonly LoggedEvent[]) => void): () => void;
}

type ApprovalCommand = Extract<RunCommand, { type: "ask" | "answer" | "expire" | "withdraw" | "correct" | "confirm" | "record" }>;

/**
 * Takes requests of agents and decisions of users. A request's state is kept only in the run's log: it has the outcome that is committed
 * there, whether it came from a user, the policy, the runtime, the expiry or the run's end.
 */
export class ApprovalBroker {
	readonly #options: ApprovalBrokerOptions;
	/** Outcomes being delivered to their runtimes, which may already have a different answer. */
	readonly #deliveries = new Map<ApprovalId, Promise<PermissionAnswer>>();
	readonly #revoked = new RevokedGrants();
	readonly #open = new OpenRequests();

	constructor(options: ApprovalBrokerOptions) {
		this.#options = options;
	}

	/**
	 * Records the request, and returns its outcome once that is in the log. A request that the run no longer takes is not recorded, and
	 * is treated as withdrawn. Rejects if the store fails.
	 */
	async ask(run: ApprovalStream, request: PermissionRequest): Promise<PermissionAnswer> {
		const given = await this.#grants(run);
		const { policy, clock, approvalMs, windowSeconds } = this.#options;
		const now = clock.now();
		const scoped = { request, scope: grantScope(request) };
		const grants = given.filter(({ approval }) => !this.#revoked.has(approval.approvalId));
		// No await from here until the dispatch, so that no grant can be revoked between its use and the record of it.
		const allowed = allowedBy(policy, grants, askerOf(run.record), scoped, now);
		const asked = this.#record(run, scoped, now);
		const { approvalId, requestedAt } = asked;
		const record = { ...asked, ...unasked(request, run.record, allowed, requestedAt) };
		if (!run.dispatch({ type: "ask", record, asked: askedWords(this.#options.redaction, request) })) return { decision: "withdrawn" };
		const { promise, resolve } = Promise.withResolvers<{ readonly committed: Approval; readonly delivery: Promise<PermissionAnswer> }>();
		const unsubscribe = run.onCommitted((events) => {
			const committed = outcomeOf(approvalId, events);
			if (committed === undefined) return;
			unsubscribe();
			const delivery = this.#deliver(run, asked, committed, request);
			this.#deliveries.set(approvalId, delivery);
			resolve({ committed, delivery });
		});
		void request.outside?.given.then((other) =>
			run.dispatch(
				other === "withdrawn"
					? { type: "withdraw", approvalId }
					: { type: "answer", approvalId, decision: other, decidedBy: OUTSIDE, windowSeconds },
			),
		);
		using _expiry = clock.at(now + approvalMs, () => run.dispatch({ type: "expire", approvalId }));
		using _open = this.#open.add(approvalId, { run, scoped, expiresAt: now + approvalMs });
		try {
			const { committed, delivery } = await promise;
			const answer = await delivery;
			if (answer.decision === "allow_window" && !this.isRevoked(approvalId)) this.#open.allowCovered(committed, clock.now());
			return answer;
		} finally {
			this.#deliveries.delete(approvalId);
		}
	}

	/**
	 * Records that the user is asked about a typed call, without waiting for the answer. The outcome is added to the run's log, with its
	 * receipt, whether or not a program is waiting for it. Undefined: the run is stopping, so the call must not start.
	 */
	askCall(run: ApprovalStream, request: CallRequest): Approval | undefined {
		const record = { ...this.#asked(run), ...callApproval(request, this.#options.windowSeconds, this.#options.redaction) };
		if (!run.dispatch({ type: "ask", record })) return undefined;
		this.#options.waiting.watch(record.runId);
		return record;
	}

	/** The grant in force that covers every call to this version of a tool in a thread. */
	async windowOf(threadId: ThreadId, { toolId, toolHash }: TypedTool): Promise<Approval | undefined> {
		return (await this.grants(threadId)).find(
			({ grantScope: scope, revokedAt }) =>
				revokedAt === undefined && scope?.kind === "tool" && scope.toolId === toolId && scope.toolHash === toolHash,
		);
	}

	/** True from the moment the bridge receives the request to revoke the grant. */
	readonly isRevoked = (approvalId: string): boolean => this.#revoked.has(approvalId);

	/**
	 * A request, with the whole input of its call; without secrets, unless it is code (`callInput`). An agent's request has no `input`,
	 * because only the agent has all of it; neither has one whose input is no longer recorded.
	 * @throws ContractError NOT_FOUND
	 */
	async shown(approvalId: ApprovalId): Promise<{ record: Approval; input?: string }> {
		const record = this.asOfNow(await this.recorded(approvalId));
		const { steps, redaction } = this.#options;
		const input = record.toolId === undefined ? undefined : callInput(record, await steps.readSteps(record.runId), redaction);
		return { record, ...omitUndefined({ input }) };
	}

	/**
	 * Decides a request, even if its agent no longer waits for it. A request whose time has run out expires instead. The first decision wins,
	 * including one made at the runtime; a later one gets the recorded outcome.
	 * @throws ContractError NOT_FOUND, INVALID_PARAMS (an option that was not offered), DISK_FULL (the decision is valid, and the agent
	 * gets it once it is in the log)
	 */
	async decide(approvalId: ApprovalId, decision: ApprovalDecision, decidedBy: string): Promise<{ record: Approval; applied: boolean }> {
		const { streamOf, clock, windowSeconds } = this.#options;
		const asked = this.asOfNow(await this.recorded(approvalId));
		const run = streamOf(asked.runId);
		if (asked.state !== "pending" || run === undefined) return { record: asked, applied: false };
		const answer = answerTo(asked, decision, decidedBy);
		const isLate = clock.now() >= Date.parse(asked.expiresAt);
		const applied = run.dispatch(isLate ? { type: "expire", approvalId } : { type: "answer", approvalId, ...answer, windowSeconds });
		await run.answered(run.durable(), "your answer will be saved once there is space");
		const bound = Promise.withResolvers<void>();
		using _bound = clock.at(clock.now() + BRING_MS, bound.resolve);
		await Promise.race([this.#deliveries.get(approvalId), bound.promise]);
		const record = await this.recorded(approvalId);
		return { record, applied: applied && record.decidedBy === decidedBy && record.decision === decision };
	}

	/**
	 * Records that a user who is not allowed to answer tried to answer. The attempt decides nothing.
	 * @throws ContractError NOT_FOUND
	 */
	async refuseActor(approvalId: ApprovalId, actor: string): Promise<void> {
		const asked = await this.recorded(approvalId);
		this.#options.streamOf(asked.runId)?.dispatch(actorRefused(asked, actor));
	}

	/** Delivers an outcome to the runtime; if a different answer took effect there, that one is recorded instead. */
	async #deliver(run: ApprovalStream, asked: Approval, outcome: Approval, request: PermissionRequest): Promise<PermissionAnswer> {
		const decision = outcome.decision ?? (outcome.state === "expired" ? "expired" : "withdrawn");
		if (decision === "withdrawn" || outcome.decidedBy === OUTSIDE) return { decision };
		const { outside } = request;
		const said = askedWords(this.#options.redaction, request);
		const other = await outside?.bring(decision === "deny" || decision === "expired" ? decision : "allow");
		if (other === undefined) {
			// A denial is certain only now, because the runtime could have received another answer first.
			if (outside !== undefined) run.dispatch({ type: "confirm", record: outcome, asked: said });
			return { decision };
		}
		const decidedAt = timestamp(this.#options.clock.now());
		const counted =
			other === "withdrawn" ? ({ state: other } as const) : ({ state: "decided", decision: other, decidedBy: OUTSIDE } as const);
		run.dispatch({ type: "correct", record: { ...asked, ...counted, decidedAt }, asked: said });
		await run.durable();
		return { decision: other };
	}

	/**
	 * Grants in force, and those whose revocation is not written (`revokedAt`), newest first. A grant for a version of a tool that is not in
	 * use, or not accepted, and for a tool that a rule denies, covers nothing.
	 */
	async grants(threadId?: ThreadId): Promise<readonly Approval[]> {
		const { clock, approvals, versionState, isForbidden } = this.#options;
		const now = clock.now();
		const decided = await approvals.grants({ threadId, now });
		const isCallable = (tool: Pick<TypedTool, "toolId" | "toolHash">) => versionState(tool) === "accepted" && !isForbidden(tool.toolId);
		const inForce = decided.filter(
			(approval) =>
				approval.grantScope !== undefined &&
				(approval.grantScope.kind !== "tool" || isCallable(approval.grantScope)) &&
				approval.asker !== undefined &&
				holds(approval, now),
		);
		return this.#revoked.listed(inForce);
	}

	/**
	 * Revokes a grant durably before it returns. A repeat gets the recorded outcome.
	 * @throws ContractError NOT_FOUND, INVALID_PARAMS (there is no grant), DISK_FULL (the grant is off until the bridge starts again)
	 */
	async revoke(approvalId: ApprovalId): Promise<{ record: Approval; applied: boolean }> {
		const { approvals, clock } = this.#options;
		const record = await this.recorded(approvalId);
		const detail = "No temporary permission was granted for this request.";
		if (record.decision !== "allow_window") throw new ContractError("INVALID_PARAMS", { detail });
		const applied = await this.#revoked.add(approvalId, timestamp(clock.now()), (at) => approvals.revokeGrant(approvalId, at));
		return { record: await this.recorded(approvalId), applied };
	}

	/** The grants of the run's thread. A grant without a recorded asker comes from an earlier version and covers nothing. */
	async #grants({ record: { threadId } }: ApprovalStream): Promise<readonly Grant[]> {
		const { approvals, clock } = this.#options;
		const given = await approvals.grants({ threadId, now: clock.now() });
		return given.flatMap((approval) => (approval.asker === undefined ? [] : [{ approval, asker: approval.asker }]));
	}

	#record(run: ApprovalStream, { request, scope }: ScopedRequest, now: number): Approval {
		const options = scope === undefined ? request.options.filter((option) => option !== "allow_window") : request.options;
		return {
			...this.#asked(run, now),
			...omitUndefined({ toolCallId: request.toolCallId, alsoNamed: request.alsoNamed && [...request.alsoNamed] }),
			...omitUndefined({ proposed: request.proposed, says: request.says, unstated: request.unstated && [...request.unstated] }),
			title: request.title,
			toolKind: request.toolKind,
			...omitUndefined({ input: request.input, directory: request.directory, deniesAlways: request.deniesAlways }),
			inputHash: request.inputHash,
			options: [...options],
			...omitUndefined({ allowNames: request.allowNames && [...request.allowNames] }),
			...(scope === undefined ? {} : { grantScope: scope, windowSeconds: this.#options.windowSeconds }),
		};
	}

	#asked({ record }: ApprovalStream, now = this.#options.clock.now()) {
		return {
			approvalId: this.#options.newApprovalId(),
			runId: record.runId,
			threadId: record.threadId,
			asker: askerOf(record),
			requestedAt: timestamp(now),
			expiresAt: timestamp(now + this.#options.approvalMs),
			state: "pending" as const,
		};
	}

	/** A record as it is listed. */
	readonly asOfNow = (record: Approval): Approval => asOfNow(record, this.#options.versionState, this.#options.isForbidden);

	/** @throws ContractError NOT_FOUND */
	async recorded(approvalId: ApprovalId): Promise<Approval> {
		const record = await this.#options.approvals.findApproval(approvalId);
		if (record === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no request ${approvalId}.` });
		return record;
	}
}

function outcomeOf(approvalId: ApprovalId, events: readonly LoggedEvent[]): Approval | undefined {
	const records = events.flatMap(({ event }) => (event.type === "approval" ? [event.record] : []));
	return records.find((record) => record.approvalId === approvalId && record.state !== "pending");
}
