import type { Redaction, Risk, ToolCallId, ToolCallState, ToolKind } from "@xworkmate/contracts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import type { TypedCall } from "./call-way.ts";

/** Small, so that a log with a thousand calls stays small. */
const PREVIEW_UNITS = 1024;
/** How much is read for a preview: more than is shown, so that redaction recognizes a secret before the text is cut. */
const READ_UNITS = 4 * PREVIEW_UNITS;
const kinds: Readonly<Record<Risk, ToolKind>> = { read: "read", write: "edit", destructive: "delete" };

/** Shows a typed call in the run's conversation. */
export class CallFace {
	readonly #face: Omit<Extract<ProviderUpdate, { kind: "tool_call" }>, "state">;
	readonly #input: unknown;
	readonly #redaction: Redaction;
	readonly #show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void;
	#isShown = false;

	constructor(
		{ name, toolId, tool, input }: TypedCall,
		toolCallId: ToolCallId,
		show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void,
		redaction: Redaction,
	) {
		const risk = tool?.risk;
		const toolKind = risk === undefined ? "other" : kinds[risk];
		this.#face = { kind: "tool_call", toolCallId, title: name, toolKind, toolId, ...(risk && { risk }), origin: "executed" };
		this.#input = input;
		this.#show = show;
		this.#redaction = redaction;
	}

	asking(): void {
		this.#say("pending");
	}

	running(): void {
		this.#say("running");
	}

	/** `output`: the result or the error message, of which a preview is shown. */
	ended(state: "completed" | "failed" | "denied", output?: unknown): void {
		this.#say(state, output);
	}

	#say(state: ToolCallState, output?: unknown): void {
		const first = this.#isShown ? {} : { input: previewOf(this.#input, this.#redaction) };
		this.#isShown = true;
		this.#show({ ...this.#face, state, ...first, ...(output !== undefined && { output: previewOf(output, this.#redaction) }) });
	}
}

function previewOf(value: unknown, redaction: Redaction) {
	const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
	const text = redaction.text(whole.slice(0, READ_UNITS)).toWellFormed();
	return text.length <= PREVIEW_UNITS
		? { text, truncated: whole.length > READ_UNITS }
		: { text: text.slice(0, PREVIEW_UNITS).toWellFormed(), truncated: true };
}
