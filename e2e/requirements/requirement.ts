/** A sentence that binds, from one of the documents the product was asked for with. What they require is here; they are not. */
export interface ListedRequirement {
	/** `T4-17`: the prefix of its document and the sentence's number. Test titles cite it in brackets. */
	readonly id: string;
	/** `verified`: a test's title cites it. `later`: no test does yet. A check fails when this is not so. */
	readonly state: "verified" | "later";
	readonly behaviour: string;
}

export interface Requirement extends ListedRequirement {
	readonly source: "OpenAssistant" | "Task Delivery" | "TaskThread workflow";
}
