import { z } from "zod";

const optionalText = z.string().optional().catch(undefined);

/** What this plugin reads of a hook's context. */
export const HookContext = z.object({
	runId: optionalText,
	sessionKey: optionalText,
	agentId: optionalText,
	workspaceDir: optionalText,
	toolCallId: optionalText,
	/** What made the gateway begin the turn: `user`, `heartbeat`, `cron`. */
	trigger: optionalText,
	abortSignal: z.instanceof(AbortSignal).optional().catch(undefined),
	inputProvenance: z.object({ kind: optionalText, sourceTool: optionalText, sourceSessionKey: optionalText }).optional().catch(undefined),
});
export type HookContext = z.infer<typeof HookContext>;

/** Decodes a hook's context; what does not fit is absent. */
export function readHookContext(context: unknown): HookContext {
	return HookContext.safeParse(context).data ?? {};
}
