import type { Activity, Approval, Receipt, ReceiptDraft, Redaction, ToolCallId } from "@xworkmate/contracts";
import type { CallRequest } from "./call-policy.ts";
import type { CheckedAnswer, LoggedEvent } from "./run-event.ts";
import type { RunRecord } from "./run-record.ts";
import type { PlacedStep, RunStep } from "./run-step.ts";

/** What the log of a run has of its program, when the program is run again. */
export interface RecordedProgram {
	readonly steps: readonly PlacedStep[];
	/** All committed events, in order. */
	readonly events: AsyncIterable<readonly LoggedEvent[]>;
}

/** A call that was requested and is not closed. */
export interface StandingCall {
	readonly requested: Receipt;
	readonly last: Receipt;
}

/** The part of a run's log that its program writes. What is written is decided at once, and durable in one commit with what follows it. */
export interface ProgramLog {
	readonly record: RunRecord;
	/** Hides the known secrets in what is written. */
	readonly redaction: Redaction;
	/** Undefined if nothing of the turn is recorded. Call it once, before anything else. */
	recorded(): Promise<RecordedProgram | undefined>;
	/** The state of a call, with everything decided so far. */
	standing(toolCallId: ToolCallId): StandingCall | undefined;
	/**
	 * Adds steps and receipts, together; without receipts the steps wait for the run's next event. `later`: nothing waits for them, so they
	 * are written with what follows. False: the run has ended.
	 */
	write(steps: readonly RunStep[], receipts: readonly ReceiptDraft[], later?: boolean): boolean;
	/** Records the answer's parts and what they are worth. At most once; its text is the turn's last message. */
	answer(checked: CheckedAnswer): void;
	/** What the run did so far; undefined: it has no receipts. */
	readonly activity: Activity | undefined;
	/** Makes sure that steps without receipts are written too. */
	mark(): void;
	/** Records the request and waits for nothing; undefined: the run is stopping. */
	ask(request: CallRequest): Approval | undefined;
	/** Takes a request back: its call is denied. */
	withdraw(approval: Approval): void;
	/** The calls that wait for a person. */
	readonly pending: readonly Approval[];
	/** Settles when everything decided so far is durable. */
	durable(): Promise<void>;
	/** Calls back after each commit. Returns a function that unsubscribes. */
	onCommitted(listener: (events: readonly LoggedEvent[]) => void): () => void;
}
