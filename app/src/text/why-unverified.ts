import type { Grounding } from "@xworkmate/contracts";
import { groundingWords } from "../strings/call-words.ts";

/** Why sentences of an answer could not be verified; of several reasons, the most serious one. */
export function whyUnverified(problems: Grounding["problems"]): string {
	const { denied, noFile, stillThere, noSuccess, noAction } = groundingWords;
	if (problems.some(({ reason }) => reason === "denied")) return denied;
	if (problems.some(({ reason }) => reason === "no_file")) return noFile;
	if (problems.some(({ reason }) => reason === "still_there")) return stillThere;
	return problems.some(({ code }) => code === "CLAIM_WITHOUT_SUCCESS") ? noSuccess : noAction;
}

/** True if nothing is known that contradicts the sentences: they only lack a receipt. */
export function mayBeTrue(problems: Grounding["problems"]): boolean {
	const why = whyUnverified(problems);
	return why === groundingWords.noSuccess || why === groundingWords.noAction;
}
