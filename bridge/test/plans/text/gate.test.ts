import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractDeliverable } from "../../../src/plans/text/extract-deliverable.ts";
import { gateOf } from "../../../src/plans/text/gate.ts";
import { validateDeliverable } from "../../../src/plans/text/validate-deliverable.ts";

const tags = { hasDelivery: true, structured: false } as const;
const value = { hasDelivery: true, structured: true } as const;
const outcome = (answer: string, terms: Parameters<typeof gateOf>[1] = tags) => {
	const { gate, deliverable } = gateOf(answer, terms);
	return gate.valid ? { deliverable } : gate.reason;
};

describe("extractDeliverable", () => {
	it("[T2-08] [T2-40] [T2-52] takes the trimmed text inside the tags, and leaves the rest as work", () => {
		expect(extractDeliverable("I looked at ten.\n\n<deliverable>\n  Go to Dusit.\r\nOpen at 9.\n</deliverable>\n\n")).toEqual({
			work: "I looked at ten.",
			deliverable: "Go to Dusit.\nOpen at 9.",
		});
		expect(extractDeliverable("<deliverable>Hi</deliverable>")).toEqual({ work: "", deliverable: "Hi" });
	});

	it("[T2-41] has no deliverable without tags, or with nothing inside", () => {
		expect(extractDeliverable(" All of it.\n")).toEqual({ work: " All of it.\n", deliverable: null, problem: "missing" });
		expect(extractDeliverable("Work\n<deliverable> \n</deliverable>")).toEqual({ work: "Work", deliverable: null, problem: "empty" });
	});
});

describe("validateDeliverable", () => {
	it("[T2-42] [T2-43] [T2-44] [T2-45] [T2-91] says what the template's author says", () => {
		expect(validateDeliverable(null, false)).toEqual({ valid: true });
		expect(validateDeliverable("NONE", false)).toEqual({ valid: true });
		expect(validateDeliverable(null, true)).toMatchObject({ valid: false, words: "Deliverable tags missing" });
		expect(validateDeliverable(" \n", true)).toMatchObject({ valid: false, words: "Deliverable is empty" });
		expect(validateDeliverable("none", true)).toMatchObject({ valid: false, words: "Brain declined to produce deliverable" });
	});
});

describe("gateOf", () => {
	it.each([
		["tags in prose", "I'd write <deliverable>Hi</deliverable> here.", "malformed"],
		["a block after text on its line", "Here it is: <deliverable>\nHi\n</deliverable>", "malformed"],
		["a block after text on its line, and nothing else", "Here it is: <deliverable>Hi</deliverable>", "malformed"],
		["an opening tag in prose alone", "I'd write <deliverable> here.", "missing"],
		["an end before a start in prose", "It ends with </deliverable> and begins with <deliverable>.", "missing"],
		["a tag in mid-sentence before the block", "As asked, in <deliverable> tags:\n<deliverable>Hi</deliverable>", { deliverable: "Hi" }],
		["no tags", "Here are the ten best beaches.", "missing"],
		["an empty answer", "", "missing"],
		["nothing inside", "<deliverable></deliverable>", "empty"],
		["white space inside", "<deliverable>\n \t\u00a0\n</deliverable>", "empty"],
		["nothing that can be seen inside", "<deliverable>\u200b\u2060\u3164</deliverable>", "empty"],
		["no end", "Work\n<deliverable>\nHi", "unclosed"],
		["two blocks", "<deliverable>A</deliverable>\n<deliverable>B</deliverable>", "several"],
		["two blocks on a line", "<deliverable>A</deliverable> <deliverable>B</deliverable>", "several"],
		["an opening tag inside", "<deliverable>A\n<deliverable>B</deliverable>", "nested"],
		["a block inside", "<deliverable>A <deliverable>B</deliverable> C</deliverable>", "nested"],
		["text after it", "<deliverable>A</deliverable>\nI hope that helps.", "trailing"],
		["a mention after it", "<deliverable>A</deliverable>\nI used <deliverable> tags.", "trailing"],
		["a second end", "<deliverable>A</deliverable>\nB</deliverable>", "malformed"],
		["an end alone", "Hi\n</deliverable>", "malformed"],
		["a start in mid-line with an end", "Here: <deliverable>\nHi\n</deliverable>", "malformed"],
		["capitals", "<Deliverable>A</Deliverable>", "malformed"],
		["a space in the tag", "< deliverable >A</deliverable>", "malformed"],
		["attributes", '<deliverable to="you">A</deliverable>', "malformed"],
		["an end in capitals", "<deliverable>A</DELIVERABLE>", "malformed"],
		["another spelling inside", "<deliverable>A < /deliverable> B</deliverable>", "malformed"],
		["a longer name", "<deliverables>A</deliverables>", "missing"],
		["a block in a fence", "```\n<deliverable>A</deliverable>\n```", "malformed"],
		["a block in a fence with a name", "~~~~xml\n```\n<deliverable>A</deliverable>\n~~~~", "malformed"],
		["a block in a fence that never ends", "```\n<deliverable>A</deliverable>", "malformed"],
		["an example in a fence first", "```\n<deliverable>A</deliverable>\n```\n<deliverable>B</deliverable>", { deliverable: "B" }],
		["an indented fence", "   ```\n<deliverable>A</deliverable>\n   ```\n", "malformed"],
		["inline code that looks like a fence", "```a``` b\n<deliverable>B</deliverable>", { deliverable: "B" }],
		["a fence that another mark doesn't end", "```\n~~~\n<deliverable>A</deliverable>", "malformed"],
		["a fence inside the message", "<deliverable>Run:\n```\nls\n```</deliverable>", { deliverable: "Run:\n```\nls\n```" }],
		["an indented block", "   <deliverable>A</deliverable>", { deliverable: "A" }],
		["indented code", "    <deliverable>A</deliverable>", "malformed"],
		["a quotation", "> <deliverable>A</deliverable>", "malformed"],
		["old line ends", "Work\r<deliverable>\rA\rB\r</deliverable>\r", { deliverable: "A\nB" }],
		["untouched inside", "<deliverable>a  b\n\n\n\tc &amp; <b>d</b></deliverable>", { deliverable: "a  b\n\n\n\tc &amp; <b>d</b>" }],
		["half a character", "<deliverable>a\ud800b</deliverable>", { deliverable: "a\ufffdb" }],
	])("[T2-43] [T2-44] [T2-46] judges %s", (_name, answer, expected) => {
		expect(outcome(answer)).toEqual(expected);
	});

	it.each([
		"NONE",
		"none",
		"None.",
		'"NONE"',
		"**None!**",
		"(none)",
		"- NONE\n",
		"NONE: it is not safe.",
		"**NONE** because",
		"\u200bNONE",
	])("[T2-45] [T2-66] reads %j as a refusal", (text) => {
		expect(outcome(`Unsafe.\n<deliverable>${text}</deliverable>`)).toBe("declined");
		expect(outcome(text, value)).toBe("declined");
	});

	it.each(["None of the beaches is open.", "NONETHELESS go.", "NONE_OF_IT", "There is none", "N/A"])(
		"[T2-46] does not read %j as one",
		(text) => {
			expect(outcome(`<deliverable>${text}</deliverable>`)).toEqual({ deliverable: text });
			expect(outcome(text, value)).toEqual({ deliverable: text });
		},
	);

	it("takes a run that ended as refused for a refusal, whatever it wrote", () => {
		expect(outcome("<deliverable>A</deliverable>", { ...tags, runCode: "REFUSED" })).toBe("declined");
		expect(outcome("A", { ...value, runCode: "REFUSED" })).toBe("declined");
		expect(outcome("<deliverable>A</deliverable>", { ...tags, runCode: "INTERNAL" })).toEqual({ deliverable: "A" });
	});

	it("counts bytes, not characters", () => {
		const most = 256 * 1024;
		const block = (text: string) => `<deliverable>${text}</deliverable>`;
		expect(outcome(block("x".repeat(most)))).toEqual({ deliverable: "x".repeat(most) });
		expect(outcome(block("x".repeat(most + 1)))).toBe("too_large");
		expect(outcome(block("ก".repeat(most / 3 + 1)))).toBe("too_large");
		expect(outcome("x".repeat(most + 1), value)).toBe("too_large");
	});

	it("[T2-42] takes any answer where nothing is to be sent, and sends nothing of it", () => {
		for (const answer of ["", "<deliverable>A</deliverable>", "NONE"]) {
			expect(gateOf(answer, { ...tags, hasDelivery: false, runCode: "REFUSED" })).toEqual({ gate: { valid: true } });
		}
	});

	it.each([
		["a text", " Go to Dusit.\r\n", { deliverable: "Go to Dusit." }],
		["nothing", " \n", "empty"],
		["tags around all of it", "<deliverable>\nGo.\n</deliverable>\n", { deliverable: "Go." }],
		["tags around nothing", "<deliverable></deliverable>", "empty"],
		["a refusal in tags", "<deliverable>NONE</deliverable>", "declined"],
		["work before the tags", "Work\n<deliverable>Go.</deliverable>", "malformed"],
		["a tag in prose", "Put it in <deliverable> tags.", "malformed"],
		["an end alone", "Go.</deliverable>", "malformed"],
	])("judges a returned value: %s", (_name, answer, expected) => {
		expect(outcome(answer, value)).toEqual(expected);
	});
});

describe("gateOf, of any answer", () => {
	const piece = fc.oneof(
		{ weight: 3, arbitrary: fc.constantFrom("<deliverable>", "</deliverable>", "\n", "\r\n", "```", "~~~", "NONE", " ") },
		fc.constantFrom("<Deliverable>", "<deliverable ", "deliverable>", "</deliverable", "<", "> ", "    ", "\ud83d", "\u200b"),
		fc.string({ unit: "grapheme", maxLength: 12 }),
	);
	const answers = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
	const marked = fc.stringMatching(/^[a-z]{4,8}$/);

	it("[T2-48] [T2-65] sends no tag, never throws, and sends nothing where it refuses", () => {
		fc.assert(
			fc.property(answers, fc.boolean(), (answer, structured) => {
				const { gate, deliverable } = gateOf(answer, { hasDelivery: true, structured });
				expect(gate.valid).toBe(deliverable !== undefined);
				expect(deliverable ?? "").not.toMatch(/<\/?deliverable>/i);
				expect(deliverable ?? "x").toBe((deliverable ?? "x").trim());
			}),
			{ numRuns: 5_000 },
		);
	});

	it("[T2-03] [T2-05] [T2-09] [T2-65] lets nothing from outside the tags into the message", () => {
		fc.assert(
			fc.property(answers, answers, answers, marked, (before, inside, after, mark) => {
				const secret = `§${mark}§`;
				const answer = `${before}${secret}\n<deliverable>${inside}</deliverable>\n${after === "" ? "" : `${after}${secret}`}`;
				expect(gateOf(answer, tags).deliverable ?? "").not.toContain(secret);
			}),
			{ numRuns: 5_000 },
		);
	});

	it("[T2-40] finds what was marked, whatever prose is before it", () => {
		const prose = fc.string({ unit: "grapheme" }).filter((text) => !/[<`~\r\n]/.test(text));
		const message = prose.map((text) => `a${text}z`);
		fc.assert(
			fc.property(prose, message, (work, text) => {
				expect(outcome(`${work}\n<deliverable>\n${text}\n</deliverable>`)).toEqual({ deliverable: text });
				expect(extractDeliverable(`${work}\n<deliverable>${text}</deliverable>`).work).toBe(work.trim());
			}),
		);
	});

	it("takes linear time for hostile answers of 5 MB", () => {
		const size = 5 * 1024 * 1024;
		const units = [
			"<deliverable>\n",
			"</deliverable>\n",
			"<deliverable>",
			"<",
			"`",
			"```\n",
			"```",
			"~~~\n",
			" ",
			"\r",
			"< /",
			"NON",
			"\u200b",
			"<deliverable ",
		];
		for (const unit of units) {
			for (const start of ["", "<deliverable>"]) {
				const answer = start + unit.repeat(size / unit.length);
				const began = performance.now();
				gateOf(answer, tags);
				gateOf(answer, value);
				// A quadratic step over 5 MB would take hours.
				expect(performance.now() - began, JSON.stringify(start + unit)).toBeLessThan(15_000);
			}
		}
	}, 120_000);
});
