import type { Approval, DenyReason, Receipt, ReceiptDraft, ToolCallId } from "@xworkmate/contracts";
import type { Clock } from "../ports/clock.ts";
import type { ProgramLog, StandingCall } from "../ports/programs/program-log.ts";
import type { LoggedEvent, ProviderUpdate } from "../ports/runs/run-event.ts";
import type { StepResult } from "../ports/runs/run-step.ts";
import type { CallPolicy, CallQuestion } from "../ports/tools/call-policy.ts";
import type { Examined, HostedOutcome, ToolHosts, TypedTool } from "../ports/tools/tool-hosts.ts";
import { refusedAtGate } from "./call-gate.ts";
import { deniedResult, failure, lostOutcome } from "./call-receipts.ts";
import { type CallWay, type TypedCall, wayOf } from "./call-way.ts";
import { idempotencyKeyOf } from "./input-hash.ts";
import type { ProgramHistory } from "./program-history.ts";
import type { Settle } from "./recorded-calls.ts";

export interface TypedCallsDeps {
	readonly hosts: ToolHosts;
	readonly policy: CallPolicy;
	readonly clock: Clock;
	readonly log: ProgramLog;
	readonly history: ProgramHistory | undefined;
	readonly show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void;
	/** Aborted when the program's calls have to end. */
	readonly signal: AbortSignal;
	/** Called when a call begins or stops waiting for the user. */
	readonly onChange: () => void;
}

type Valid = Extract<Examined, { kind: "valid" }>;

const STOPPED = failure("STOPPED", "the run has ended");

/**
 * The only way in which typed calls are carried out: each is examined, decided, approved, started and ended, and its start is in the log
 * before its handler is called. A program cannot change this, and whatever interrupts it, the next bridge continues from the last step in
 * the log.
 */
export class TypedCalls implements Disposable {
	readonly #deps: TypedCallsDeps;
	readonly #asking = new Map<ToolCallId, (decision: Receipt | "halted") => void>();
	readonly #handlers = new Set<Promise<unknown>>();
	readonly #unsubscribe: () => void;
	#isHalted = false;

	constructor(deps: TypedCallsDeps) {
		this.#deps = deps;
		this.#unsubscribe = deps.log.onCommitted((events) => this.#committed(events));
	}

	/** How many calls are waiting for the user. */
	get asking(): number {
		return this.#asking.size;
	}

	/** Keeps further calls from starting. Calls that have started continue. */
	halt(): void {
		this.#isHalted = true;
		for (const resolve of [...this.#asking.values()]) resolve("halted");
		this.#asking.clear();
	}

	/** Settles when no handler is running. */
	async idle(): Promise<void> {
		while (this.#handlers.size > 0) await Promise.allSettled(this.#handlers);
	}

	[Symbol.dispose](): void {
		this.halt();
		this.#unsubscribe();
	}

	/** Continues a call from its recorded state. */
	async carryOut(call: TypedCall, settle: Settle): Promise<StepResult> {
		if (this.#isHalted) return STOPPED;
		const { log, history } = this.#deps;
		const toolCallId: ToolCallId = `call-${call.call}`;
		const standing = log.standing(toolCallId);
		const way = wayOf(call, toolCallId, standing, settle, this.#deps.show, log.redaction);
		const end = history?.endOf(toolCallId);
		if (end !== undefined) return this.#settledBefore(way, end);
		const approval = history?.approvalOf(toolCallId);
		if (standing === undefined) return approval === undefined ? this.#request(way) : this.#afterDecision(way, approval, undefined);
		if (standing.last.type === "tool.call.started") return this.#startedBefore(way, standing);
		const isAsked = standing.last.type === "tool.call.approved" || log.pending.some((record) => record.toolCallId === toolCallId);
		return approval !== undefined && isAsked ? this.#afterDecision(way, approval, undefined) : this.#decide(way, standing);
	}

	/** The answer to a call that ended while its program was not running, such as one that was denied, expired or withdrawn. */
	#settledBefore(way: CallWay, { type, decision, outcome }: Receipt): Promise<StepResult> {
		way.face.ended(type === "tool.call.denied" ? "denied" : "failed", outcome?.message);
		if (type === "tool.call.denied") return way.settle(deniedResult(decision?.reason), []);
		return way.settle(failure(outcome?.code ?? "OUTCOME_UNKNOWN", outcome?.message ?? "the outcome is not known"), []);
	}

	async #request(way: CallWay): Promise<StepResult> {
		const examined = await this.#examine(way);
		if (this.#isHalted) return STOPPED;
		const words = examined.kind === "valid" ? examined.words : undefined;
		const requested = way.receipts.requested(way.input, words);
		if (examined.kind !== "valid") return this.#refuse(way, examined, [requested]);
		return this.#decideOn(way, examined, [requested]);
	}

	/** Decides a call that was requested just before the bridge ended. */
	async #decide(way: CallWay, { requested }: StandingCall): Promise<StepResult> {
		if (way.tool?.toolHash !== requested.toolHash) return this.#deny(way, "policy", "tool_changed", []);
		const examined = await this.#examine(way);
		if (this.#isHalted) return STOPPED;
		return examined.kind === "valid" ? this.#decideOn(way, examined, []) : this.#refuse(way, examined, []);
	}

	async #decideOn(way: CallWay, examined: Valid, before: readonly ReceiptDraft[]): Promise<StepResult> {
		const { policy, log } = this.#deps;
		const { tool } = way;
		if (tool === undefined) return this.#deny(way, "policy", "tool_changed", before);
		const answer = await policy.answer(this.#question(way, tool, examined));
		if (this.#isHalted) return STOPPED;
		if (answer.decision === "deny") return this.#deny(way, answer.by, answer.reason, before);
		if (answer.decision === "allow") return this.#start(way, tool, examined, { before, by: answer.by });
		if (before.length > 0 && !log.write([], before)) return STOPPED;
		way.face.asking();
		const { toolCallId, input, inputHash } = way;
		const asked = { words: examined.words, mayWindow: answer.mayWindow, policyVersion: policy.version };
		const approval = log.ask({ toolCallId, tool, input, inputHash, ...asked });
		return approval === undefined ? STOPPED : this.#afterDecision(way, approval, examined);
	}

	/** `examined`: absent if an earlier bridge asked the user. */
	async #afterDecision(way: CallWay, approval: Approval, examined: Valid | undefined): Promise<StepResult> {
		const decision = await this.#decision(way.toolCallId);
		if (decision === "halted" || this.#isHalted) return STOPPED;
		if (decision.type === "tool.call.denied") {
			way.face.ended("denied");
			return way.settle(deniedResult(decision.decision?.reason), []);
		}
		const { tool } = way;
		if (tool === undefined) return this.#deny(way, "policy", "tool_changed", []);
		const valid = examined ?? (await this.#examine(way));
		if (this.#isHalted) return STOPPED;
		if (valid.kind !== "valid") return this.#refuse(way, valid, []);
		return this.#start(way, tool, valid, { before: [], approval });
	}

	/** Waits until the receipt of the decision is in the log. */
	async #decision(toolCallId: ToolCallId): Promise<Receipt | "halted"> {
		const standing = this.#deps.log.standing(toolCallId);
		if (standing?.last.type === "tool.call.approved") return standing.last;
		const { promise, resolve } = Promise.withResolvers<Receipt | "halted">();
		this.#asking.set(toolCallId, resolve);
		this.#deps.onChange();
		return promise;
	}

	#committed(events: readonly LoggedEvent[]): void {
		for (const { event } of events) {
			if (event.type !== "receipt" || event.receipt.toolCallId === undefined) continue;
			const { type, toolCallId } = event.receipt;
			if (type !== "tool.call.approved" && type !== "tool.call.denied") continue;
			const resolve = this.#asking.get(toolCallId);
			this.#asking.delete(toolCallId);
			if (resolve === undefined) continue;
			resolve(event.receipt);
			this.#deps.onChange();
		}
	}

	/** The check at the gate and `started` are one step: nothing is awaited in between. */
	async #start(
		way: CallWay,
		tool: TypedTool,
		examined: Valid,
		how: { readonly before: readonly ReceiptDraft[]; readonly by?: string; readonly approval?: Approval },
	): Promise<StepResult> {
		const { hosts, policy, log, clock } = this.#deps;
		const { before, by, approval } = how;
		const refusal = refusedAtGate(hosts, policy, {
			question: this.#question(way, tool, examined),
			inputHash: way.inputHash,
			standing: log.standing(way.toolCallId),
			...(approval !== undefined && { approval }),
			by,
			now: clock.now(),
		});
		if (refusal !== undefined) return this.#deny(way, refusal.by, refusal.reason, before);
		const isRule = by !== undefined && by !== "policy";
		const approved = isRule ? [way.receipts.approved(decisionBy(by))] : [];
		const started = way.receipts.started(by === "policy" ? by : undefined);
		if (!log.write([{ kind: "started", call: way.call, attempt: 1 }], [...before, ...approved, started])) return STOPPED;
		way.face.running();
		return this.#handled(way, tool, examined, 1);
	}

	/**
	 * Continues a call that an earlier bridge had started. Its handler may have been called, so it is called again only for a read or an
	 * idempotent tool, and only if that version of the tool is current and nothing denies the call now. Otherwise a read has failed, and
	 * the outcome of any other call is unknown.
	 */
	async #startedBefore(way: CallWay, { requested }: StandingCall): Promise<StepResult> {
		const { hosts, policy, log, history } = this.#deps;
		const attempt = history?.replay.attemptsOf(way.call) ?? 1;
		const { tool } = way;
		const isRead = requested.risk === "read";
		const lost = lostOutcome(requested.risk);
		const mayRepeat = tool !== undefined && tool.toolHash === requested.toolHash && (isRead || tool.isIdempotent);
		if (!mayRepeat) return this.#end(way, lost, { attempt, durationMs: 0 });
		const examined = await this.#examine(way);
		if (this.#isHalted) return STOPPED;
		if (examined.kind !== "valid" || !hosts.isCurrent(tool) || policy.denial(this.#question(way, tool, examined)) !== undefined) {
			return this.#end(way, lost, { attempt, durationMs: 0 });
		}
		if (!log.write([{ kind: "started", call: way.call, attempt: attempt + 1 }], [])) return STOPPED;
		log.mark();
		return this.#handled(way, tool, examined, attempt + 1);
	}

	/** Calls the handler once `started` is durable. */
	#handled(way: CallWay, tool: TypedTool, examined: Valid, attempt: number): Promise<StepResult> {
		const handled = this.#callHandler(way, tool, examined, attempt);
		this.#handlers.add(handled);
		return handled.finally(() => this.#handlers.delete(handled));
	}

	async #callHandler(way: CallWay, tool: TypedTool, { input }: Valid, attempt: number): Promise<StepResult> {
		const { hosts, log, clock, signal } = this.#deps;
		await log.durable();
		const { runId } = log.record;
		const { toolCallId } = way;
		const since = clock.now();
		const hosted = { runId, toolCallId, idempotencyKey: idempotencyKeyOf(runId, toolCallId), attempt, input };
		const outcome: HostedOutcome = signal.aborted
			? { kind: "failed", code: "STOPPED", message: "the run was stopped before the call was made" }
			: await hosts.call(tool, hosted, signal);
		return this.#end(way, outcome, { attempt, durationMs: Math.max(0, Math.round(clock.now() - since)) });
	}

	#end(way: CallWay, outcome: HostedOutcome, took: { readonly attempt: number; readonly durationMs: number }): Promise<StepResult> {
		const isDone = outcome.kind === "succeeded";
		way.face.ended(isDone ? "completed" : "failed", isDone ? outcome.output : outcome.message);
		const result: StepResult = isDone ? { ok: true, value: outcome.output } : failure(outcome.code, outcome.message);
		return way.settle(result, [way.receipts.ended(outcome, took)]);
	}

	#deny(way: CallWay, by: string, reason: DenyReason, before: readonly ReceiptDraft[]): Promise<StepResult> {
		way.face.ended("denied");
		return way.settle(deniedResult(reason), [...before, way.receipts.denied(by, reason)]);
	}

	/** Refuses an examined call that cannot be made. Its handler was not called. */
	#refuse(way: CallWay, examined: Exclude<Examined, Valid>, before: readonly ReceiptDraft[]): Promise<StepResult> {
		if (examined.kind === "changed") return this.#deny(way, "policy", "tool_changed", before);
		const code = examined.kind === "invalid" ? "INVALID_INPUT" : "HOST_LOST";
		const { message } = examined;
		way.face.ended("failed", message);
		const failed = way.receipts.ended({ kind: "failed", code, message }, { attempt: 0, durationMs: 0 });
		return way.settle(failure(code, message), [...before, failed]);
	}

	async #examine({ tool, input }: TypedCall): Promise<Examined> {
		return tool === undefined ? { kind: "changed" } : this.#deps.hosts.examine(tool, input);
	}

	#question(way: CallWay, tool: TypedTool, { policy: own }: Valid): CallQuestion {
		return { run: this.#deps.log.record, tool, inputBytes: way.inputBytes, ...(own !== undefined && { own }) };
	}
}

/** A decision that was made before the call: by a rule of the user or the run, or by a grant. */
function decisionBy(by: string) {
	return { by, decision: by.startsWith("window:") ? "allow_window" : "allow" } as const;
}
