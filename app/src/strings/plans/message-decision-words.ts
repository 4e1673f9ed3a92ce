/** What the user recorded or decided about a message. {who} is `decisionWords.you`. */
export const messageDecisionWords: Readonly<Record<string, string>> = {
	sent: "{who} recorded that it arrived",
	not_sent: "{who} recorded that it never arrived",
	send: "{who} decided to send it",
	edit: "{who} edited it and decided to send it",
	rerun: "{who} had the work done again",
	discard: "{who} discarded it",
};
