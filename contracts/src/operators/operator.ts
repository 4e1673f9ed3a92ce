import { z } from "zod";
import { Timestamp } from "../ids/ids.ts";

export const OperatorFindingCode = z.enum([
	"DISCORD_TOKEN_REJECTED",
	"DISCORD_INTENT_MISSING",
	"DISCORD_PERMISSION_MISSING",
	"DISCORD_NO_APPROVER",
	"DISCORD_UNREACHABLE",
]);
export type OperatorFindingCode = z.infer<typeof OperatorFindingCode>;

/** `off`: not set up. `refused`: the service does not let it in, and it is not tried again until the settings change. */
export const OperatorState = z.enum(["off", "connecting", "connected", "slowed", "lost", "refused"]);
export type OperatorState = z.infer<typeof OperatorState>;

/** A service in which the user talks to the bridge, and how it is. */
export const Operator = z.object({
	operatorId: z.enum(["discord"]),
	state: OperatorState,
	/** Of the last change of the state. */
	since: Timestamp,
	/** The name of the bridge's account there. */
	account: z.string().max(200).optional(),
	findings: z.array(z.object({ code: OperatorFindingCode, message: z.string(), fix: z.string() })),
	/** Posts of which it is not known whether they arrived. */
	unknownPosts: z.int().min(0),
});
export type Operator = z.infer<typeof Operator>;
