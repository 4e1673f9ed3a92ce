import { Redaction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { askedWords } from "../../../src/runs/domain/reported-receipts.ts";

/** Of a command that is too long to be shown whole. Its last words, `path` among them, are shown, but perhaps not those before them. */
function wordsOf(path: string): string {
	const command = `curl -X POST ${"--data-urlencode a=b ".repeat(8)} -H 'Authorization: Bearer t0ken.of.the.person' https://api.example/v1/${path}`;
	const input = { text: JSON.stringify({ command }), truncated: false };
	return askedWords(new Redaction([]), { title: "Post", input }).words;
}

it("hides a secret in a long command, although the words by which it is recognized are not shown", () => {
	expect(wordsOf("messages")).toMatch(/^curl -X POST .* … .*https:\/\/api\.example\/v1\/messages$/);
	// The end that is shown begins at each place in the header, and behind it.
	const all = Array.from({ length: 80 }, (_, length) => wordsOf("m".repeat(length)));
	expect(all.filter((words) => words.includes("t0ken"))).toEqual([]);
	expect(all.some((words) => words.includes("Authorization")) && all.some((words) => !words.includes("Authorization"))).toBe(true);
});
