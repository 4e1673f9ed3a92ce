import { z } from "zod";
import { PolicyDecision, ToolId } from "../tools/tool-id.ts";

/** What one run asks of the bridge's own providers. */
export const AssistantMetadata = z.strictObject({
	/** The only account that may be used. Absent: the accounts in their configured order. */
	authProfile: z.string().min(1).max(200).optional(),
	/** Rules that apply to this run only. */
	toolPolicy: z.record(ToolId, PolicyDecision).optional(),
	/** True: no user is there to answer, so every call that would need approval is denied. */
	unattended: z.boolean().optional(),
});
export type AssistantMetadata = z.infer<typeof AssistantMetadata>;
