import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { cancellable, type OpenOccurrences } from "./open-messages.ts";

const words = plansPageWords.actions;

/**
 * What cancelling a plan's pending work ends, with one sentence for each kind, and then what is not affected; empty if nothing is pending.
 */
export function cancelWords({ items, isWhole }: OpenOccurrences): readonly string[] {
	const { working, inReview, waiting } = cancellable(items);
	const ended = [
		counted(words.cancelWork, working),
		counted(words.cancelReview, inReview.length),
		counted(words.cancelWaiting, waiting.length),
	].filter((line) => line !== undefined);
	const more = isWhole ? [] : [words.cancelMore];
	return ended.length + more.length === 0 ? [] : [...ended, ...more, words.cancelKept];
}

function counted({ one, other }: { readonly one: string; readonly other: string }, count: number): string | undefined {
	if (count === 0) return undefined;
	return count === 1 ? one : fill(other, { count });
}
