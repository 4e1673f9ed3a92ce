/** What helps, taken apart: the words for the user, and the line for a terminal in them, if there is one. */
export interface Fix {
	/** Before the command; empty when the command says all. */
	readonly lead: string;
	/** Absent where a sentence asks for something that is no line for a terminal. */
	readonly command?: string;
	/** The sentence that holds the command between backticks. */
	readonly sentence?: string;
}

/** "Install it: npm install x", "Run `codex login` in a terminal.", "xworkmate logs", "Set A and B, and start the bridge again." */
export function splitFix(text: string): Fix {
	const quoted = commandIn(text);
	if (quoted !== undefined) return { lead: "", command: quoted, sentence: text };
	const [, lead, command] = /^([A-Z][^:`/]{0,60}:) (\S.*)$/s.exec(text) ?? [];
	if (lead !== undefined && command !== undefined) return { lead, command };
	const isSentence = /^[A-Z]/.test(text) && text.includes(" ") && text.endsWith(".");
	return isSentence ? { lead: "", sentence: text } : { lead: "", command: text };
}

/** The first line for a terminal that a sentence names between backticks. */
export function commandIn(sentence: string): string | undefined {
	return /`([^`\n]+)`/.exec(sentence)?.[1];
}
