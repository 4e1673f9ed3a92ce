import { checkClaims } from "@xworkmate/contracts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";

const UNITS = 256 * 1024;
const MOST_MS = 20;

/**
 * What is common, and what is hard to search: claims only, one endless sentence, the beginnings of claims that never end, and text without
 * spaces.
 */
const texts: Readonly<Record<string, string>> = {
	"a report": "The page has 12 views more than last week, most of them from the newsletter. No other source changed by much. ",
	"claims only":
		"I have scheduled the reminder. Ich habe den Termin erstellt. J'ai envoyé le message. 已经为您创建了日程。予約を作成しました。",
	"one sentence": "and the page has more views, ",
	"beginnings of claims": "I have been, I've, it has been, ich habe, j'ai, he, ho, eu tenho ",
	"no spaces": "的".repeat(64),
};

/** The check of claims in long texts of several kinds. */
export async function benchClaimCheck(quick: boolean): Promise<readonly Result[]> {
	const results: Result[] = [];
	for (const [kind, sentence] of Object.entries(texts)) {
		const text = sentence.repeat(Math.ceil(UNITS / sentence.length)).slice(0, UNITS);
		const measures = {
			json: async () => msOf(() => JSON.parse(JSON.stringify(text)).length),
			check: async () => msOf(() => checkClaims(text, undefined, 0).length),
		};
		await interleave(3, measures);
		const samples = await interleave(quick ? 5 : 15, measures);
		results.push(
			compare(samples, {
				name: `claim check of 256 KiB: ${kind}`,
				unit: "ms",
				against: "the same text to JSON and back",
				baseline: "json",
				measured: "check",
				aim: { measuredAtMost: MOST_MS },
			}),
		);
	}
	return results;
}

function msOf(act: () => number): number {
	const from = performance.now();
	if (act() < 0) throw new RangeError("there is no negative count");
	return performance.now() - from;
}
