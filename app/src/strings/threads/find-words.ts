/** English text of the search inside a thread. */
export const findWords = {
	label: "Find in this thread",
	hint: "Find in messages, answers, steps and file names",
	place: "{at} of {all}",
	placeSoFar: "{at} of {all} so far",
	searching: "Searching…",
	atLeast: "{count} or more",
	none: "No results",
	next: "Next result",
	nextKeys: "Next result (Enter)",
	previous: "Previous result",
	previousKeys: "Previous result (Shift+Enter)",
	close: "Close search",
} as const;
