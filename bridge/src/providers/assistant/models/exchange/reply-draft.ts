import { randomUUID } from "node:crypto";
import { ModelFailure, type ModelPart, type ModelReply } from "../../../../ports/models/model-client.ts";

/** The maximum number of calls in one reply. */
export const MOST_CALLS = 64;
const MOST_NAME = 200;
/** The call ids that both makers accept. */
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A piece of a call. Any part may be missing or arrive later. */
export interface CallPiece {
	readonly callId?: unknown;
	readonly tool?: unknown;
	/** More of the input's JSON, or the whole input as a value. */
	readonly input?: unknown;
}

interface CallDraft {
	readonly kind: "call";
	callId: string | undefined;
	tool: string;
	json: string;
	value: unknown;
}

interface TextDraft {
	readonly kind: "text";
	text: string;
}

/** A reply, assembled from pieces in the order in which they arrive. */
export class ReplyDraft {
	readonly #parts: (CallDraft | TextDraft)[] = [];
	readonly #calls = new Map<unknown, CallDraft>();
	readonly #usage: { inputTokens?: number; outputTokens?: number } = {};
	#stop: ModelReply["stop"] = "ended";
	#isWhole = false;

	get isEmpty(): boolean {
		return this.#parts.length === 0;
	}

	/** Adds to the text, and returns what was added. */
	say(text: unknown): string {
		if (typeof text !== "string" || text === "") return "";
		const last = this.#parts.at(-1);
		if (last?.kind === "text") last.text += text;
		else this.#parts.push({ kind: "text", text });
		return text;
	}

	/**
	 * Adds a piece to the call with this key.
	 * @throws Error if there are too many calls
	 */
	call(key: unknown, { callId, tool, input }: CallPiece): void {
		const call = this.#calls.get(key) ?? this.#begin(key);
		if (typeof callId === "string" && callId !== "") call.callId ??= callId;
		if (typeof tool === "string" && call.tool === "") call.tool = tool.slice(0, MOST_NAME);
		if (typeof input === "string") call.json += input;
		else if (input !== undefined && input !== null) call.value = input;
	}

	has(key: unknown): boolean {
		return this.#calls.has(key);
	}

	/** Replaces what has arrived of the call's input. */
	callInput(key: unknown, input: unknown): void {
		const call = this.#calls.get(key);
		if (call !== undefined && typeof input === "string") call.json = input;
	}

	/** The id of the call with this key, as the server gave it. */
	idOf(key: unknown): string | undefined {
		return this.#calls.get(key)?.callId;
	}

	/** To be called when the server has said why the reply ended, which makes the reply complete. */
	end(stop: ModelReply["stop"]): void {
		this.#stop = stop;
		this.#isWhole = true;
	}

	get isWhole(): boolean {
		return this.#isWhole;
	}

	count(usage: { readonly inputTokens?: unknown; readonly outputTokens?: unknown }): void {
		if (isCount(usage.inputTokens)) this.#usage.inputTokens = usage.inputTokens;
		if (isCount(usage.outputTokens)) this.#usage.outputTokens = usage.outputTokens;
	}

	reply(): ModelReply {
		const ids = new Set<string>();
		const parts = this.#parts.map((part) => (part.kind === "text" ? part : finished(part, ids)));
		const isCalling = this.#calls.size > 0;
		const stop = this.#stop === "ended" && isCalling ? "calls" : this.#stop === "calls" && !isCalling ? "ended" : this.#stop;
		return { parts, stop, usage: { ...this.#usage } };
	}

	#begin(key: unknown): CallDraft {
		if (this.#calls.size >= MOST_CALLS) throw new ModelFailure("broken", `The reply has more than ${MOST_CALLS} calls.`);
		const call: CallDraft = { kind: "call", callId: undefined, tool: "", json: "", value: undefined };
		this.#calls.set(key, call);
		this.#parts.push(call);
		return call;
	}
}

/** Completes a call. Replaces an id that the server left out, repeated, or would not accept back. */
function finished({ callId, tool, json, value }: CallDraft, ids: Set<string>): ModelPart {
	const isUsable = callId !== undefined && CALL_ID.test(callId) && !ids.has(callId);
	const id = isUsable ? callId : `call_${randomUUID()}`;
	ids.add(id);
	const named = { kind: "call", callId: id, tool } as const;
	if (json.trim() === "") return { ...named, input: value ?? {} };
	try {
		const input: unknown = JSON.parse(json);
		return { ...named, input };
	} catch {
		// The model gets its own text back, so that it can correct the input.
		return { ...named, input: json, unreadable: true };
	}
}

function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
