import { z } from "zod";
import { ProviderId } from "../ids/ids.ts";

export const ExecutionTarget = z.enum(["agent", "gateway"]);
export type ExecutionTarget = z.infer<typeof ExecutionTarget>;

/** Where a turn runs. An unknown or unavailable provider is refused, never replaced. */
export const Routing = z.strictObject({
	executionTarget: ExecutionTarget,
	providerId: ProviderId.optional(),
	model: z.string().min(1).max(200).optional(),
});
export type Routing = z.infer<typeof Routing>;

export const ResolvedRouting = z.object({ target: ExecutionTarget, providerId: ProviderId, model: z.string().optional() });
export type ResolvedRouting = z.infer<typeof ResolvedRouting>;
