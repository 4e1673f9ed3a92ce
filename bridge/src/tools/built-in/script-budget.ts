import type { ScriptLimits } from "./script-limits.ts";

export type HaltCause =
	/** The user stopped the run, or it cannot continue. */
	{ readonly kind: "stopped" } | { readonly kind: "limit"; readonly limit: keyof ScriptLimits };

type Spendable = "toolCalls" | "consoleLines" | "writtenBytes" | "outputBytes";

/** How much a run may still use, and why it was ended early. Only the first reason is kept. */
export class ScriptBudget {
	readonly #controller = new AbortController();
	readonly #spent = { toolCalls: 0, consoleLines: 0, writtenBytes: 0, outputBytes: 0 };
	#cause: HaltCause | undefined;
	/** Aborted when the run has to end. */
	readonly signal: AbortSignal = this.#controller.signal;
	readonly limits: ScriptLimits;

	constructor(limits: ScriptLimits) {
		this.limits = limits;
	}

	get cause(): HaltCause | undefined {
		return this.#cause;
	}

	halt(cause: HaltCause): void {
		this.#cause ??= cause;
		this.#controller.abort();
	}

	/** Spends an amount; if that exceeds the limit, ends the run and returns false. */
	spend(limit: Spendable, amount: number): boolean {
		if (this.#cause !== undefined) return false;
		this.#spent[limit] += amount;
		if (this.#spent[limit] <= this.limits[limit]) return true;
		this.halt({ kind: "limit", limit });
		return false;
	}
}
