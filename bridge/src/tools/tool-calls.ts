import type { z } from "zod";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import { previewOf } from "../providers/preview.ts";
import { type Refusal, type ShownCall, type Tool, ToolRefusal } from "./define-tool.ts";

/** The maximum size of a logged input or output. It keeps a log small even with ten thousand calls. */
const PREVIEW_BYTES = 1024;

/** The answer to a program's call. */
export type ToolAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Refusal };

/** The answer to calls after the run has ended. */
export const STOPPED = new ToolRefusal("STOPPED", "the run has ended");

export interface ToolCallsDeps<Context> {
	/** Passed to every call. */
	readonly context: Context;
	/** False if no further call may be made. */
	readonly spend: () => boolean;
	/** Resolves later if the log is behind, which slows the program down. */
	readonly show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => Promise<void>;
}

/** The only path from a program to its built-in tools: every call is counted, validated, shown, executed and answered here. */
export class ToolCalls<Context> {
	readonly #deps: ToolCallsDeps<Context>;
	readonly #open = new Set<Promise<ToolAnswer>>();
	#count = 0;

	constructor(deps: ToolCallsDeps<Context>) {
		this.#deps = deps;
	}

	/** Number of calls of the program so far, including those that are not made here. */
	get made(): number {
		return this.#count;
	}

	/** Counts a call of the program that is not made here. `number`: its number among all calls of the program. */
	noteCall(number: number): void {
		this.#count = number;
	}

	/**
	 * Makes one call, unless the run has ended. The call is shown as running, then as completed or failed. Rejects only for a fault of the
	 * tool or of the log. `number`: its number among all calls of the program.
	 */
	async invoke(tool: Tool<Context>, passed: unknown, number = this.#count + 1): Promise<ToolAnswer> {
		if (!this.#deps.spend()) return refusedWith(STOPPED);
		this.noteCall(number);
		const call = this.#shown(tool, passed, `call-${number}`);
		this.#open.add(call);
		try {
			return await call;
		} finally {
			this.#open.delete(call);
		}
	}

	/** Resolves once the calls that are running now have ended. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#open);
	}

	async #shown(tool: Tool<Context>, passed: unknown, toolCallId: string): Promise<ToolAnswer> {
		const parsed = tool.input.safeParse(passed);
		const { input, ...face }: ShownCall = tool.describe(parsed.data, passed, this.#deps.context);
		const { title, toolKind } = face;
		const call = { kind: "tool_call", toolCallId, title, toolKind, origin: "executed" } as const;
		await this.#deps.show({ ...call, state: "running", ...face, input: previewOf(input, PREVIEW_BYTES) });
		const answer = await this.#answer(tool, passed, parsed);
		const output = previewOf(JSON.stringify(answer.ok ? answer.value : answer.error), PREVIEW_BYTES);
		await this.#deps.show({ ...call, state: answer.ok ? "completed" : "failed", output });
		return answer;
	}

	async #answer(tool: Tool<Context>, passed: unknown, parsed: z.ZodSafeParseResult<unknown>): Promise<ToolAnswer> {
		const { context } = this.#deps;
		let refusal: Refusal;
		if (parsed.success) {
			try {
				return { ok: true, value: await tool.run(parsed.data, context) };
			} catch (error) {
				refusal = refusalOf(error);
			}
		} else refusal = { code: "INVALID_INPUT", message: inputProblem(parsed.error) };
		await tool.refused?.(refusal, passed, context);
		return refusedWith(refusal);
	}
}

/**
 * The refusal that a program gets for an error.
 * @throws any other error, which is a fault of the tool
 */
function refusalOf(error: unknown): Refusal {
	if (error instanceof ToolRefusal) return error;
	if (error instanceof Error && error.name === "AbortError") return STOPPED;
	throw error;
}

function refusedWith({ code, message }: Refusal): ToolAnswer {
	return { ok: false, error: { code, message } };
}

function inputProblem(error: z.ZodError): string {
	return error.issues
		.slice(0, 5)
		.map((issue) => [issue.path.join("."), issue.message].filter((part) => part !== "").join(": "))
		.join("; ")
		.slice(0, 500);
}
