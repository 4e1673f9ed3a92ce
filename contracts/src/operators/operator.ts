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

/** `off`: not set up. `refused`: the service rejected the bridge, which does not try again until it is restarted. */
export const OperatorState = z.enum(["off", "connecting", "connected", "slowed", "lost", "refused"]);
export type OperatorState = z.infer<typeof OperatorState>;

/** A service in which the user talks to the bridge, and its current state. */
export const Operator = z.object({
	operatorId: z.enum(["discord"]),
	state: OperatorState,
	/** When the state last changed. */
	since: Timestamp,
	/** The name of the bridge's account in the service. */
	account: z.string().max(200).optional(),
	findings: z.array(z.object({ code: OperatorFindingCode, message: z.string(), fix: z.string() })),
	/** How many posts may or may not have arrived. */
	unknownPosts: z.int().min(0),
});
export type Operator = z.infer<typeof Operator>;
