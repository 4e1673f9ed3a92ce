import type { Activity, Approval, Receipt, ReceiptDraft, Redaction, ToolCallId } from "@xworkmate/contracts";
import type { CheckedAnswer, LoggedEvent } from "../runs/run-event.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { PlacedStep, RunStep } from "../runs/run-step.ts";
import type { CallRequest } from "../tools/call-policy.ts";

/** What a run's log contains about its program, for running the program again. */
export interface RecordedProgram {
	readonly steps: readonly PlacedStep[];
	/** All committed events, in order. */
	readonly events: AsyncIterable<readonly LoggedEvent[]>;
}

/** A call that was requested and has not ended. */
export interface StandingCall {
	readonly requested: Receipt;
	readonly last: Receipt;
}

/**
 * The part of a run's log that its program writes. An entry takes effect at once, and is committed together with the entries that follow
 * it.
 */
export interface ProgramLog {
	readonly record: RunRecord;
	/** Hides the known secrets in what is written. */
	readonly redaction: Redaction;
	/** What is recorded about the turn; undefined if nothing is. Must be called once, before anything else. */
	recorded(): Promise<RecordedProgram | undefined>;
	/** The state of a call, including everything decided so far. */
	standing(toolCallId: ToolCallId): StandingCall | undefined;
	/**
	 * Adds steps and receipts, together. Steps without receipts wait for the run's next event. `later`: nothing waits for them, so they are
	 * written with the next entries. Returns false if the run has ended.
	 */
	write(steps: readonly RunStep[], receipts: readonly ReceiptDraft[], later?: boolean): boolean;
	/** Records the answer's parts and how far receipts back them. May be called once; the answer's text is the turn's last message. */
	answer(checked: CheckedAnswer): void;
	/** What the run has done so far; undefined if it has no receipts. */
	readonly activity: Activity | undefined;
	/** Ensures that steps without receipts are written too. */
	mark(): void;
	/** Records the request without waiting for the answer; undefined if the run is stopping. */
	ask(request: CallRequest): Approval | undefined;
	/** Withdraws a request, so that its call is denied. */
	withdraw(approval: Approval): void;
	/** The open requests for approval. */
	readonly pending: readonly Approval[];
	/** Settles when everything decided so far is durable. */
	durable(): Promise<void>;
	/** Calls back after each commit. Returns a function that unsubscribes. */
	onCommitted(listener: (events: readonly LoggedEvent[]) => void): () => void;
}
