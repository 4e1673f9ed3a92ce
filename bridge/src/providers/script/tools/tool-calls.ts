import type { Location, ToolKind } from "@xworkmate/contracts";
import type { ScriptBudget } from "./script-budget.ts";
import { textPreview } from "./text-preview.ts";
import type { UpdateStream } from "./update-stream.ts";

/** What a tool answers to a program. */
export type ToolAnswer =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** How a call is shown before it is made. */
export interface CallFace {
	readonly title: string;
	readonly toolKind: ToolKind;
	/** Shortened when shown. */
	readonly input: string;
	readonly locations?: Location[];
}

export function refusal(code: string, message: string): ToolAnswer {
	return { ok: false, error: { code, message } };
}

export const STOPPED = refusal("STOPPED", "the run has been ended");

/** Counts the calls of a run, shows each, and tracks those that are still running. */
export class ToolCalls {
	readonly #budget: ScriptBudget;
	readonly #updates: UpdateStream;
	readonly #open = new Set<Promise<ToolAnswer>>();
	#count = 0;

	constructor(budget: ScriptBudget, updates: UpdateStream) {
		this.#budget = budget;
		this.#updates = updates;
	}

	/** Number of calls shown so far. */
	get made(): number {
		return this.#count;
	}

	/** Makes one call: shown running, then completed or failed. */
	async make(face: CallFace, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
		if (!this.#budget.spend("toolCalls", 1)) return STOPPED;
		const call = this.#shown(face, work);
		this.#open.add(call);
		try {
			return await call;
		} finally {
			this.#open.delete(call);
		}
	}

	/** Resolves when no call is running. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#open);
	}

	async #shown(face: CallFace, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
		this.#count += 1;
		const { title, toolKind, locations } = face;
		const call = { kind: "tool_call", toolCallId: `script-${this.#count}`, title, toolKind } as const;
		const where = locations === undefined ? {} : { locations };
		await this.#updates.push({ ...call, state: "running", input: textPreview(face.input), ...where });
		const answer = await work();
		const output = textPreview(JSON.stringify(answer.ok ? answer.value : answer.error));
		await this.#updates.push({ ...call, state: answer.ok ? "completed" : "failed", output });
		return answer;
	}
}
