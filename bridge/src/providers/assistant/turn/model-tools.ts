import { z } from "zod";
import type { ModelTool } from "../../../ports/models/model-client.ts";

const FindInput = z.strictObject({ query: z.string().min(1).max(500) });
const DescribeInput = z.strictObject({ toolIds: z.array(z.string().min(1).max(300)).min(1).max(20) });
const ExecuteInput = z.strictObject({ program: z.string().min(1) });
const AnswerInput = z.strictObject({
	segments: z
		.array(z.union([z.strictObject({ text: z.string().max(200_000) }), z.strictObject({ receiptId: z.string().min(1).max(200) })]))
		.min(1)
		.max(200),
});

/** The model's answer, before it is checked. */
export type GivenSegments = z.infer<typeof AnswerInput>["segments"];

const inputs = { find_tools: FindInput, describe_tools: DescribeInput, execute: ExecuteInput, answer: AnswerInput };

/** A call by the model that can be carried out. */
export type ModelCall =
	| { readonly tool: "find_tools"; readonly input: z.infer<typeof FindInput> }
	| { readonly tool: "describe_tools"; readonly input: z.infer<typeof DescribeInput> }
	| { readonly tool: "execute"; readonly input: z.infer<typeof ExecuteInput> }
	| { readonly tool: "answer"; readonly input: z.infer<typeof AnswerInput> };

const descriptions: Readonly<Record<keyof typeof inputs, string>> = {
	find_tools: "Searches the tools that a program can call, by keyword. Returns their names, ids and risks.",
	describe_tools: "The TypeScript declarations of tools, by id.",
	execute:
		"Type-checks a TypeScript program, then runs it in a sandbox. Its body may use await and return. Reports what it returned or threw, its console output, and the activity of this turn with receipt ids.",
	answer:
		"Your whole answer to the user. Say what was done only in segments with a receiptId from this turn's activity: the receipt's own words are inserted there for you. Other segments are text. Call this tool last, and on its own.",
};

/** The tools that the model can call. */
export const modelTools: readonly ModelTool[] = Object.entries(inputs).map(([name, input]) => ({
	name,
	description: descriptions[name as keyof typeof inputs],
	input: z.toJSONSchema(input, { io: "input" }) as Readonly<Record<string, unknown>>,
}));

/** Reads one of the model's calls, which are untrusted and of any shape. Returns the call, or a text that says what is wrong with it. */
export function readCall(part: { readonly tool: string; readonly input: unknown; readonly unreadable?: true }): ModelCall | string {
	const { tool, input } = part;
	if (!Object.hasOwn(inputs, tool))
		return `There is no tool ${JSON.stringify(tool.slice(0, 100))}. The tools are: ${Object.keys(inputs).join(", ")}.`;
	if (part.unreadable === true) return `The input of ${tool} is not JSON.`;
	const parsed = inputs[tool as keyof typeof inputs].safeParse(input);
	if (parsed.success) return { tool, input: parsed.data } as ModelCall;
	const issues = parsed.error.issues
		.slice(0, 3)
		.map(({ path, message }) => [path.join("."), message].filter((part) => part !== "").join(": "));
	return `The input of ${tool} is not as declared: ${issues.join("; ").slice(0, 500)}.`;
}
