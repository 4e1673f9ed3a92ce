/** Settings > Usage. */
export const usageWords = {
	lead: "As reported by the agents, for the last 30 days. XWorkmate adds it up and estimates nothing.",
	loading: "Adding up…",
	failed: "The usage couldn’t be read.",
	none: "No agent’s run has ended in the last 30 days.",
	label: "Usage by day",
	day: "Day",
	runs: "Runs",
	tokens: "Tokens",
	cost: "Cost",
	silent: "Without a figure",
	total: "30 days",
	inOut: "{input} in, {output} out",
	ofRuns: "from {some} of {all} runs",
	notReported: "not reported",
	today: "Today",
	note: "A run without a figure may have used tokens too. Script uses no model and isn’t counted. Costs are in US dollars; a subscription may not charge them.",
} as const;
