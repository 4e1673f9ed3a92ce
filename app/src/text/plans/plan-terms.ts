import type { NewDelivery, Plan } from "@xworkmate/contracts";

/** What a plan asks for: its work and its messages. */
export interface AskedTerms {
	readonly work: readonly { readonly description: string }[];
	readonly delivery: readonly NewDelivery[];
}

/**
 * What a plan asks for each time it is due. The plan's own `work` and `delivery` belong to its newest occurrence, whose messages may
 * differ: they may be those of a resend, or those from before the plan was changed. An earlier bridge reports only `work` and `delivery`.
 */
export function termsOf({ terms, work, delivery }: AskedTerms & Pick<Plan, "terms">): AskedTerms {
	return terms ?? { work, delivery };
}
