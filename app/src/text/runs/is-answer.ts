import type { Snapshot } from "@xworkmate/contracts";

/** True if a message that was received is the answer of a run's result, which may have been truncated. */
export function isAnswer(said: string, { text, truncated }: Pick<NonNullable<Snapshot["output"]>, "text" | "truncated">): boolean {
	return truncated ? said.startsWith(text) : said === text;
}
