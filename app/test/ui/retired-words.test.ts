import { describe, expect, it } from "vitest";
import { retiredHabits, retiredPhrases } from "./retired-words.ts";
import { type ShownWords, shownWords } from "./shown-words.ts";

const sources = import.meta.glob<string>(
	["../../src/ui/**/*.{ts,tsx}", "../../src/strings/**/*.ts", "../../src/doctor/*.ts", "../../src/run-log/*.ts"],
	{
		query: "?raw",
		import: "default",
		eager: true,
	},
);
const shown = Object.entries(sources).flatMap(([path, source]) => shownWords(path.replace("../../src/", ""), source));
const retired = [...retiredPhrases, ...retiredHabits].map(({ now, better }) => ({ pattern: new RegExp(now, "iu"), better }));

function problemsOf(texts: readonly ShownWords[]): readonly { readonly section: string; readonly problem: string }[] {
	return texts.flatMap(({ section, text }) =>
		retired
			.filter(({ pattern }) => pattern.test(text))
			.map(({ pattern, better }) => ({ section, problem: `${section}: “${text}” has /${pattern.source}/. Better: ${better}` })),
	);
}

const problems = problemsOf(shown);

describe("what the page says", () => {
	it("has none of the wording that was replaced", () => {
		expect(problems.map(({ problem }) => problem)).toEqual([]);
	});
});

describe("the search for replaced wording", () => {
	it("reads words, labels, markup and templates, and names their section", () => {
		const words = 'export const words = { sidebar: { empty: "Stands here" }, keys: [["A", "B"]] } as const;';
		expect(shownWords("strings/interface.ts", words)).toEqual([
			{ section: "words.sidebar", text: "Stands here" },
			{ section: "words.keys", text: "A" },
			{ section: "words.keys", text: "B" },
		]);
		const component =
			// biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the program that is read
			'import x from "anew"; const Y = ({ n }: { n: "type" }) => <p title="Take back">Try now {n ? "Keep it" : `${n} %`}</p>;';
		expect(shownWords("ui/run/y.tsx", component).map(({ text }) => text)).toEqual(["Take back", "Try now", "Keep it", " %"]);
		expect(shownWords("strings/runs/states.ts", 'const unavailable = { X: "Refuses" };')).toEqual([
			{ section: "unavailable", text: "Refuses" },
		]);
	});

	it("knows enough of the interface to be worth something", () => {
		expect(shown.length).toBeGreaterThan(700);
		for (const section of [
			"words.sidebar",
			"askWords",
			"settingsPageWords",
			"logPageWords",
			"runWords",
			"stateWords",
			"logWords",
			"ui/frame.tsx",
		])
			expect(shown.map((one) => one.section)).toContain(section);
		for (const { now } of [...retiredPhrases, ...retiredHabits]) expect("").not.toMatch(new RegExp(now, "iu"));
	});
});
