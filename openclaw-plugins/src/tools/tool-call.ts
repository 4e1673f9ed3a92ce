import { z } from "zod";

/** The gateway's description of a tool call, before or after it is executed. */
export const HeldToolCall = z.object({
	toolName: z.string(),
	params: z.record(z.string(), z.unknown()),
	runId: z.string().optional().catch(undefined),
	toolCallId: z.string().min(1).max(200).optional().catch(undefined),
});
export type HeldToolCall = z.infer<typeof HeldToolCall>;

/** A text param of a tool, or undefined. */
export function textParam({ params }: Pick<HeldToolCall, "params">, name: string): string | undefined {
	const value = params[name];
	return typeof value === "string" ? value : undefined;
}
