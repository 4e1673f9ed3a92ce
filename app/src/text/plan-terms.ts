import type { NewDelivery, Plan } from "@xworkmate/contracts";

/** What a plan asks for: its work and its messages. */
export interface AskedTerms {
	readonly work: readonly { readonly description: string }[];
	readonly delivery: readonly NewDelivery[];
}

/**
 * What a plan asks for each time that it is due. `work` and `delivery` of the plan itself belong to its newest occurrence, whose messages
 * may be others: those of a resend, or those from before the plan was changed. An earlier bridge reports only `work` and `delivery`.
 */
export function termsOf({ terms, work, delivery }: AskedTerms & Pick<Plan, "terms">): AskedTerms {
	return terms ?? { work, delivery };
}
