import { expect, it } from "vitest";
import { messageAndFix } from "../house/message-and-fix.ts";

function pairsOf(text: string): readonly (readonly [string, string])[] {
	return messageAndFix({ path: "a.ts", text }).map(({ message, fix }) => [message, fix]);
}

it("finds a message with its fix in an object, whatever the object is for", () => {
	// biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the program that is read
	expect(pairsOf('a({ code: "A", message: `The ${name} is full.`, fix: "Free some space." });')).toEqual([
		["The {} is full.", "Free some space."],
	]);
	expect(pairsOf('throw new ContractError("A", { detail: "It is full.", fix: isOwn ? "Free some." : "Ask." });')).toEqual([
		["It is full.", "Free some. | Ask."],
	]);
});

it("finds them in calls of a function that takes both", () => {
	const text = 'function refuse(code: string, detail: string, fix = "Try again.") {}\nrefuse("A", "It is full.", "Free some space.");';
	expect(pairsOf(text)).toEqual([["It is full.", "Free some space."]]);
});

it("reads constants, the one that precedes the use if there are several", () => {
	const text =
		'const fix = "First.";\nconst a = { message: "It is full.", fix };\n{ const fix = "Second."; b({ message: "It is gone.", fix }); }';
	expect(pairsOf(text)).toEqual([
		["It is full.", "First."],
		["It is gone.", "Second."],
	]);
});

it("leaves out what is no pair, and pairs without words of the file", () => {
	expect(pairsOf('a({ message: "It is full." }); b({ fix: "Try again." }); c({ message: x.message, fix: x.fix });')).toEqual([]);
});
