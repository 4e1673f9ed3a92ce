import type { ScriptLimits } from "./script-limits.ts";

export type HaltCause =
	/** The run was stopped, or its program ended without returning. */
	{ readonly kind: "stopped" } | { readonly kind: "limit"; readonly limit: keyof ScriptLimits };

type Spendable = "toolCalls" | "consoleLines" | "writtenBytes" | "outputBytes";

/** How much a program may still use, and why it was ended early. Only the first reason is kept. */
export class ScriptBudget {
	readonly #controller = new AbortController();
	readonly #spent = { toolCalls: 0, consoleLines: 0, writtenBytes: 0, outputBytes: 0 };
	#cause: HaltCause | undefined;
	/** Aborted when the program has to end. */
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

	/** Spends an amount; if that exceeds the limit, ends the program. Returns false if the program has to end. */
	spend(limit: Spendable, amount: number): boolean {
		if (this.#cause !== undefined) return false;
		this.#spent[limit] += amount;
		if (this.#spent[limit] <= this.limits[limit]) return true;
		this.halt({ kind: "limit", limit });
		return false;
	}
}
