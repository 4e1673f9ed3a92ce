import { z } from "zod";
import { PolicyDecision, ToolId } from "../tools/tool-id.ts";

/** What one run asks of the bridge's own programs. */
export const AssistantMetadata = z.strictObject({
	/** The account to use, before the order of accounts. */
	authProfile: z.string().min(1).max(200).optional(),
	/** Rules for this run alone. */
	toolPolicy: z.record(ToolId, PolicyDecision).optional(),
	/** No one is there to answer: what would be asked is denied. */
	unattended: z.boolean().optional(),
});
export type AssistantMetadata = z.infer<typeof AssistantMetadata>;
