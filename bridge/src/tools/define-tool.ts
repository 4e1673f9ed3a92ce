import type { Location, ToolKind } from "@xworkmate/contracts";
import type { z } from "zod";
import type { SandboxTool } from "../ports/programs/sandbox.ts";

/** How a call is shown. */
export interface ShownCall {
	readonly title: string;
	readonly toolKind: ToolKind;
	/** The input, cut off for display. */
	readonly input: string;
	readonly locations?: Location[];
}

/** Why a call was refused. The program gets it as the call's answer. */
export interface Refusal {
	readonly code: string;
	readonly message: string;
}

/** A refusal by the tool itself. */
export class ToolRefusal extends Error implements Refusal {
	override readonly name: string = "ToolRefusal";
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** The complete definition of one tool. `Context` is what its calls share. */
export interface ToolDefinition<Context, Input extends z.ZodType, Output extends z.ZodType> {
	/** `<group>.<name>`: a program calls it as `tools.<group>.<name>`. */
	readonly id: string;
	readonly mode: SandboxTool["mode"];
	/** Validates each call. Programs are type-checked against the declaration generated from this schema. */
	readonly input: Input;
	/** The type of what `run` returns, for the declaration. */
	readonly output: Output;
	/**
	 * How a call is shown.
	 * @param input undefined if what was passed is not a valid input
	 */
	describe(input: z.infer<Input> | undefined, passed: unknown, context: Context): ShownCall;
	/**
	 * Carries out a call.
	 * @throws ToolRefusal, or an AbortError once the run has ended. Any other error is a fault of the tool and ends the run
	 */
	run(input: z.infer<Input>, context: Context): Promise<z.infer<Output>>;
	/** Called for each refusal, including invalid input, before the program gets it. */
	refused?(refusal: Refusal, passed: unknown, context: Context): Promise<void>;
}

export type Tool<Context> = ToolDefinition<Context, z.ZodType, z.ZodType>;

export function defineTool<Context, Input extends z.ZodType, Output extends z.ZodType>(
	definition: ToolDefinition<Context, Input, Output>,
): Tool<Context> {
	return definition;
}
