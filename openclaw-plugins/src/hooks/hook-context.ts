import { z } from "zod";

const optionalText = z.string().optional().catch(undefined);

/** The fields of a hook's context that this plugin reads. */
export const HookContext = z.object({
	runId: optionalText,
	sessionKey: optionalText,
	agentId: optionalText,
	workspaceDir: optionalText,
	toolCallId: optionalText,
	/** The trigger of the turn, such as `user`, `heartbeat` or `cron`. */
	trigger: optionalText,
	abortSignal: z.instanceof(AbortSignal).optional().catch(undefined),
	inputProvenance: z.object({ kind: optionalText, sourceTool: optionalText, sourceSessionKey: optionalText }).optional().catch(undefined),
});
export type HookContext = z.infer<typeof HookContext>;

/** Decodes a hook's context; malformed fields are absent. */
export function readHookContext(context: unknown): HookContext {
	return HookContext.safeParse(context).data ?? {};
}
