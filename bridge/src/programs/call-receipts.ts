import type {
	DenyReason,
	Preview,
	ReceiptDecision,
	ReceiptDraft,
	ReceiptOutcome,
	Redaction,
	Risk,
	Sha256,
	ToolCallId,
	ToolErrorCode,
	ToolId,
} from "@xworkmate/contracts";
import type { StepResult } from "../ports/runs/run-step.ts";
import type { HostedOutcome } from "../ports/tools/tool-hosts.ts";
import { hashedText, sha256Of } from "./input-hash.ts";

const PREVIEW_BYTES = 2 * 1024;
/** How much is read for a preview: more than is shown, so that redaction recognizes a secret before the text is cut. */
const READ_UNITS = 4 * PREVIEW_BYTES;
const MAX_WORDS = 1_000;
const MAX_MESSAGE = 2_000;

/** What every receipt of a call contains. */
export interface CallFacts {
	readonly toolCallId: ToolCallId;
	readonly toolId: ToolId;
	readonly inputHash: Sha256;
	/** The tool's risk. Absent if the tool no longer exists. */
	readonly risk?: Risk;
	readonly toolHash?: Sha256;
}

/** Makes the receipts of one call that the bridge executes. */
export class CallReceipts {
	readonly #facts: CallFacts;
	readonly #redaction: Redaction;

	constructor(facts: CallFacts, redaction: Redaction) {
		this.#facts = facts;
		this.#redaction = redaction;
	}

	requested(input: unknown, words?: string): ReceiptDraft {
		const said = words === undefined ? {} : { words: shortened(this.#redaction.text(words), MAX_WORDS) };
		return { ...this.#draft("tool.call.requested"), ...said, input: receiptPreview(input, this.#redaction) };
	}

	approved(decision: ReceiptDecision): ReceiptDraft {
		return { ...this.#draft("tool.call.approved"), decision };
	}

	denied(by: string, reason: DenyReason): ReceiptDraft {
		return { ...this.#draft("tool.call.denied"), decision: { by, decision: "deny", reason } };
	}

	/** `by`: what allowed the call, if no separate receipt says so. */
	started(by?: string): ReceiptDraft {
		return { ...this.#draft("tool.call.started"), ...(by !== undefined && { decision: { by, decision: "allow" as const } }) };
	}

	ended(outcome: HostedOutcome, took: Pick<ReceiptOutcome, "attempt" | "durationMs">): ReceiptDraft {
		const draft = this.#draft(`tool.call.${outcome.kind}`);
		if (outcome.kind === "succeeded") {
			const { output } = outcome;
			return { ...draft, outcome: { ...took, outputHash: sha256Of(hashedText(output)), preview: receiptPreview(output, this.#redaction) } };
		}
		const message = shortened(this.#redaction.text(outcome.message), MAX_MESSAGE);
		return { ...draft, outcome: { ...took, code: outcome.code, message } };
	}

	#draft(type: ReceiptDraft["type"]): ReceiptDraft {
		return { type, origin: "executed", ...this.#facts };
	}
}

/** The answer that a program gets to a call that was not allowed. */
export function deniedResult(reason: DenyReason | undefined): StepResult {
	if (reason === "tool_changed") return failure("TOOL_CHANGED", "the tool has changed since this program was checked");
	return failure("DENIED", reason === undefined ? "the call was denied" : `the call was denied: ${whys[reason]}`);
}

const whys: Readonly<Record<Exclude<DenyReason, "tool_changed">, string>> = {
	person: "the user denied the request",
	policy: "a rule forbids it",
	policy_failed: "the tool's own rule gave no valid answer",
	expired: "no one answered in time",
	run_stopped: "the run was stopped",
	run_ended: "the run ended",
	bridge_stopped: "the bridge stopped",
	backup_restored: "its request was not answered before the backup was made",
	withdrawn: "its request was withdrawn",
	unattended: "the run is unattended",
	input_too_large: "the input is too large",
	too_many_waiting: "too many requests are open",
};

/** The outcome of a call that an earlier bridge had started, and whose handler is not called again. */
export function lostOutcome(risk: Risk | undefined): HostedOutcome {
	const code = "OUTCOME_UNKNOWN";
	if (risk === "read") return { kind: "failed", code, message: "the bridge stopped while the call was being made" };
	const message = "the bridge stopped while the call was being made";
	return { kind: "unknown", code, message };
}

export function failure(code: ToolErrorCode, message: string): StepResult {
	return { ok: false, error: { code, message } };
}

function receiptPreview(value: unknown, redaction: Redaction): Preview {
	const whole = JSON.stringify(value) ?? "";
	const text = redaction.text(whole.slice(0, READ_UNITS)).toWellFormed();
	const bytes = Buffer.from(text);
	if (bytes.length <= PREVIEW_BYTES) return { text, truncated: whole.length > READ_UNITS };
	let end = PREVIEW_BYTES;
	// Never cuts within a character.
	while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
	return { text: bytes.subarray(0, end).toString("utf8"), truncated: true };
}

function shortened(text: string, units: number): string {
	const whole = text.toWellFormed();
	return whole.length <= units ? whole : `${whole.slice(0, units - 1).toWellFormed()}…`;
}
