import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { groundingWords } from "../../src/strings/calls/call-words.ts";

it("Discord says with the words of the page why a sentence isn't verified", () => {
	const { noAction, noSuccess, denied, found, noFile, notHere, stillThere, notAllowed } = groundingWords;
	const { noFileOf, notHereOf, stillThereOf, noActionOf } = groundingWords;
	const doubts = new URL("../../../bridge/src/operator/discord/text/doubt-lines.ts", import.meta.url);
	const said = readFileSync(doubts, "utf8");
	const all = [noAction, noSuccess, denied, found, noFile, notHere, stillThere, notAllowed, noFileOf, notHereOf, stillThereOf, noActionOf];
	for (const reason of all) expect(said).toContain(`"${reason.replaceAll("’", "'")}"`);
});
