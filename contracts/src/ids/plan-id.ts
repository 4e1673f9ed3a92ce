import { z } from "zod";

const pathSafe = (what: string) => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, `must be ${what} id`);

/** Allocated by the bridge. Safe as a path segment and in a URL. */
export const PlanId = pathSafe("a plan").brand<"PlanId">();
export type PlanId = z.infer<typeof PlanId>;

/** One time that a plan is due: `<planId>-<n>`. */
export const OccurrenceId = pathSafe("an occurrence").brand<"OccurrenceId">();
export type OccurrenceId = z.infer<typeof OccurrenceId>;

/** One message of an occurrence: `<occurrenceId>-<n>`. */
export const ActionId = pathSafe("an action").brand<"ActionId">();
export type ActionId = z.infer<typeof ActionId>;

/** Minted by the client for each action of the user: the same request, sent again, gets the same answer. */
export const RequestId = z
	.string()
	.min(1)
	.max(200)
	.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must not contain control characters or lone surrogates")
	.brand<"RequestId">();
export type RequestId = z.infer<typeof RequestId>;
