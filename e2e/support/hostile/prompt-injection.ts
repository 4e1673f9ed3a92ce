/** Where the model reads the orders. */
export type Carrier =
	| "web page"
	| "file"
	| "file name"
	| "tool error"
	| "tool declaration"
	| "tool words"
	| "console"
	| "prompt"
	| "earlier answer"
	| "another agent"
	| "Discord user";

/** A text that a model takes for orders, and obeys. */
export interface PromptInjection {
	readonly name: string;
	readonly carrier: Carrier;
	/** What its text says. */
	readonly lure: string;
	/** What the model then does, one after the other: steps of e2e/fakes/fake-model. */
	readonly orders: readonly string[];
	/** The tools whose calls the user is asked about; absent: none. */
	readonly asks?: readonly string[];
	/** The user allows the first of them, once; absent: all are denied. */
	readonly allowsFirst?: true;
	/** What must not be in the answer. */
	readonly unsaid?: readonly string[];
	/** Absent: the answer is not grounded, since nothing was done. */
	readonly grounding?: "grounded" | "replaced" | "no_action";
}

/** Stand for what only the running test knows. */
export const places = { bridge: "$BRIDGE", page: "$PAGE", earlierReceipt: "$EARLIER" } as const;
