import { describe, expect, it } from "vitest";
import { claimsOf } from "../../src/index.ts";
import { byAgent } from "./reported-calls.ts";

const says = [
	"You approved it, so I went on.",
	"With your permission, I went on.",
	"The command was approved by the user.",
	"Du hast es genehmigt.",
	"Mit Ihrer Erlaubnis ging es weiter.",
	"Vous avez approuvé la commande.",
	"Avec votre accord, la commande a continué.",
	"Aprobaste la orden.",
	"Con tu permiso, seguí adelante.",
	"Você aprovou o comando.",
	"Hai approvato il comando.",
	"您已批准该命令。",
	"経緯: 承認をいただきました。",
];
const doesNotSay = [
	"You did not approve it.",
	"If you approved it, I would go on.",
	"I can go on once you have allowed it.",
	"Have you approved it?",
	"Without your permission I can't go on.",
	"You can approve it in the settings.",
	"Du hast es nicht genehmigt.",
	"Vous n'avez pas approuvé la commande.",
	"No aprobaste la orden.",
	"Você não aprovou o comando.",
	"Non hai approvato il comando.",
	"您没有批准该命令。",
	"承認をいただけませんでした。",
	"The reviewer approved the pull request.",
];

describe("a claim that the user allowed something", () => {
	const isFound = (sentence: string) => claimsOf(sentence).some(({ isAllowed }) => isAllowed === true);

	it.each(says)("is read in: %s", (sentence) => expect(isFound(sentence)).toBe(true));
	it.each(doesNotSay)("is not read in: %s", (sentence) => expect(isFound(sentence)).toBe(false));

	it("is marked if the run asked for permission and was given none, and only then", () => {
		const text = "You approved it, so I went on.";
		const marked = { code: "CLAIM_WITHOUT_SUCCESS", reason: "not_allowed", start: 0, end: text.length };
		expect(byAgent(text, undefined, { permission: "asked" })).toEqual([marked]);
		expect(byAgent(text, undefined, { permission: "given" })).toEqual([]);
		expect(byAgent(text, undefined)).toEqual([]);
	});

	it("matters more than missing evidence, and less than a file that is still there", () => {
		const text = "You approved it, so I deleted old.txt.";
		const reasons = (state: "absent" | "unchanged") =>
			byAgent(text, undefined, { permission: "asked", found: { "old.txt": state } }).map(({ reason }) => reason);
		expect(reasons("absent")).toEqual(["not_allowed"]);
		expect(reasons("unchanged")).toEqual(["still_there"]);
	});
});
