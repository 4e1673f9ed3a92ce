/** A sentence of a seed document that binds. */
export interface SeedRequirement {
	/** `T4-17`: the seed's prefix and the sentence's number. Test titles cite it in brackets. */
	readonly id: string;
	/** The milestone whose work can first verify it. */
	readonly since: 2 | 3 | 4 | "unplanned";
	/** `verified`: a test's title cites it. `later`: no test does yet. A check fails when this is not so. */
	readonly state: "verified" | "later";
	readonly behaviour: string;
}

export interface Requirement extends SeedRequirement {
	readonly source: "seed 001" | "seed 002" | "seed 004";
}
