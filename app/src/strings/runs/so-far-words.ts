/** What the list of a run's actions says about calls without a result while the run is active. */
export const soFarWords = {
	title: "{title} so far",
	/** For a call with an open request. */
	asked: { word: "Waiting", why: "Needs your answer", count: "{count} waiting" },
	/** For a call that XWorkmate has started. */
	started: { word: "Running", why: "Started, not finished", count: "{count} running" },
	/** For an agent's own call. Not every agent reports that a call has started. */
	saysStarted: "Reported as started",
	notStarted: "Not reported as started",
	open: { word: "No result yet", count: "{count} without a result yet" },
} as const;
