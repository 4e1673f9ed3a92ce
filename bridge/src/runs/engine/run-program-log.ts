import type { Activity, Approval, ReceiptDraft, Redaction, ToolCallId } from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import { readStream } from "../../log/read-stream.ts";
import type { ProgramLog, RecordedProgram, StandingCall } from "../../ports/programs/program-log.ts";
import type { CheckedAnswer, LoggedEvent } from "../../ports/runs/run-event.ts";
import type { RunRecord } from "../../ports/runs/run-record.ts";
import type { RunStep, StepStore } from "../../ports/runs/run-step.ts";
import type { RunLogStore } from "../../ports/runs/run-store.ts";
import type { CallRequest } from "../../ports/tools/call-policy.ts";
import { activityOfTrail } from "../domain/call-trail.ts";
import { isOver } from "../domain/run-state.ts";
import type { LiveRun } from "./live-run.ts";

export interface RunProgramLogDeps {
	readonly log: RunLogStore;
	readonly steps: StepStore;
	readonly broker: Pick<ApprovalBroker, "askCall">;
	readonly redaction: Redaction;
}

/** The log of one run, for its program. */
export class RunProgramLog implements ProgramLog {
	readonly #run: LiveRun;
	readonly #deps: RunProgramLogDeps;

	constructor(run: LiveRun, deps: RunProgramLogDeps) {
		this.#run = run;
		this.#deps = deps;
	}

	get record(): RunRecord {
		return this.#run.record;
	}

	get redaction(): Redaction {
		return this.#deps.redaction;
	}

	get pending(): readonly Approval[] {
		return this.#run.state.pendingApprovals;
	}

	async recorded(): Promise<RecordedProgram | undefined> {
		const { runId, state } = this.#run;
		if (state.trail === undefined && !state.handedOver) return undefined;
		this.mark();
		await this.durable();
		const steps = await this.#deps.steps.readSteps(runId);
		if (steps.length === 0) return undefined;
		this.#run.continueSteps(steps.length);
		return { steps, events: readStream<typeof runId, LoggedEvent>(this.#deps.log, runId) };
	}

	standing(toolCallId: ToolCallId): StandingCall | undefined {
		return this.#run.state.trail?.open.get(toolCallId);
	}

	write(steps: readonly RunStep[], receipts: readonly ReceiptDraft[], later = false): boolean {
		if (isOver(this.#run.state)) return false;
		this.#run.addSteps(steps);
		if (receipts.length > 0) this.#run.dispatch({ type: "record", runId: this.#run.runId, drafts: receipts, later });
		return true;
	}

	answer(checked: CheckedAnswer): void {
		this.#run.dispatch({ type: "answer_checked", checked });
	}

	get activity(): Activity | undefined {
		const { trail } = this.#run.state;
		return trail && activityOfTrail(trail);
	}

	/** Writes pending steps. Steps can only be written together with an event, so the progress is reported once more. */
	mark(): void {
		if (!this.#run.hasUnwrittenSteps) return;
		this.#run.dispatch({ type: "show_progress", progress: this.#run.state.progress ?? { stage: "working" } });
	}

	ask(request: CallRequest): Approval | undefined {
		return this.#deps.broker.askCall(this.#run, request);
	}

	withdraw({ approvalId }: Approval): void {
		this.#run.dispatch({ type: "withdraw", approvalId });
	}

	durable(): Promise<void> {
		return this.#run.durable();
	}

	onCommitted(listener: (events: readonly LoggedEvent[]) => void): () => void {
		return this.#run.onCommitted(listener);
	}
}
