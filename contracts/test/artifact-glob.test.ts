import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileGlob, requiredGlobProblem } from "../src/artifacts/artifact-glob.ts";
import { MatchBudgetError } from "../src/artifacts/match-sequence.ts";

const matches = (glob: string, path: string) => compileGlob(glob).matches(path);

describe("a glob of the artifact contract", () => {
	it.each([
		["*.pdf", ["a.pdf", "deep/er/a.pdf"], ["a.pdf.txt", "pdf", "A.PDF", ".pdf", ".a.pdf", ".dir/a.pdf", "dir/.pdf"]],
		["report.md", ["report.md", "x/report.md"], ["report.md/x", "areport.md"]],
		["out/*.csv", ["out/a.csv"], ["a.csv", "x/out/a.csv", "out/x/a.csv", "out/.a.csv"]],
		["**/*.csv", ["a.csv", "x/y/a.csv"], ["a.csv/x", ".x/a.csv"]],
		["docs/**", ["docs/a", "docs/b/c"], ["docs", "a/docs/b", "docs/.a", "docs/.b/c"]],
		["docs/**/a?.md", ["docs/ab.md", "docs/x/y/a1.md"], ["docs/a.md", "docs/abc.md"]],
		["**", ["a", "b/c"], [".a", "b/.c"]],
		["*", ["a", "b/c"], [".a"]],
		["a**b", ["ab", "x/axxb"], ["a/b"]],
		["{a,b/c}.txt", ["a.txt", "b/c.txt"], ["x/a.txt", "c.txt"]],
		["*.{tar.{gz,xz},zip}", ["a.tar.gz", "x/a.tar.xz", "a.zip"], ["a.tar", "a.gz"]],
		["page-[0-9][!a-c].png", ["page-1d.png", "page-10.png"], ["page-1a.png", "page-xd.png"]],
		["[]x].txt", ["].txt", "x.txt"], ["y.txt"]],
		["[a-].txt", ["a.txt", "-.txt"], ["b.txt"]],
		["report (1)+[!].md", [], ["report (1)+.md"]],
		["report (1)|$^.md", ["report (1)|$^.md"], ["report 1.md"]],
		["!a.txt", ["!a.txt"], ["a.txt", "b.txt"]],
		["#1, a.txt", ["#1, a.txt"], []],
		["cafe\u0301.md", ["café.md"], []],
		["??.md", ["日本.md", "😀a.md"], ["日.md"]],
	] as const)("%s", (glob, accepted, refused) => {
		if (requiredGlobProblem(glob) !== undefined) return expect(accepted).toEqual([]);
		for (const path of accepted) expect([path, matches(glob, path)]).toEqual([path, true]);
		for (const path of refused) expect([path, matches(glob, path)]).toEqual([path, false]);
	});

	it.each([
		"a\\b",
		"a\0b",
		"@(a|b)",
		"+(a)",
		"!(a)",
		"[a",
		"[a/b]",
		"[]",
		"{a",
		"a}",
		"{a}",
		"{1..3}",
		"{}",
		"a//b",
		"/a",
		"a/",
		"{,a}/b",
		".env",
		"x/.git/y",
		"{.a,b}",
		"./a",
		"../a",
		`${"{a,b}".repeat(7)}`,
	])("refuses %j in words", (glob) => {
		expect(requiredGlobProblem(glob)).toMatch(/\w+ \w+/);
	});

	it("never throws anything but a problem, whatever is written", () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 60, unit: fc.constantFrom(..."ab.*?[]{},/!^-()\\é\ud800") }), (glob) => {
				if (requiredGlobProblem(glob) === undefined) expect(typeof matches(glob, "a/b.b")).toBe("boolean");
			}),
			{ numRuns: 1000 },
		);
	});

	it("agrees with picomatch wherever both understand the glob", () => {
		const piece = fc.constantFrom("a", "b", "ab", "*", "?", "[ab]", "[!a]", "{a,b}", "{ab,b*}", "a*");
		const segment = fc.oneof(
			{ weight: 1, arbitrary: fc.constant("**") },
			{ weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("").replaceAll("**", "*")) },
		);
		const glob = fc.array(segment, { minLength: 2, maxLength: 4 }).map((segments) => segments.join("/"));
		const name = fc.constantFrom("a", "b", "ab", "ba", "bab", "c");
		const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
		fc.assert(
			fc.property(glob, path, (pattern, relativePath) => {
				fc.pre(requiredGlobProblem(pattern) === undefined);
				expect([pattern, matches(pattern, `${relativePath}/.a`), matches(pattern, `.${relativePath}`)]).toEqual([pattern, false, false]);
				// picomatch lets `a/**` stand for `a` itself, which is never a file and its folder at once.
				fc.pre(!pattern.endsWith("**"));
				expect([pattern, relativePath, matches(pattern, relativePath)]).toEqual([
					pattern,
					relativePath,
					picomatch(pattern, { nonegate: true, noextglob: true, posix: true })(relativePath),
				]);
			}),
			{ numRuns: 1000 },
		);
	});

	it("takes no time over globs that make a regular expression backtrack for ever", () => {
		const long = "a".repeat(250);
		const started = performance.now();
		for (const glob of [
			`${"*a".repeat(200)}b`,
			`${"*".repeat(400)}b`,
			`${"**/".repeat(150)}b`,
			`${"?*".repeat(200)}b`,
			"{a,aa}*{a,aa}*{a,aa}*{a,aa}*b",
		]) {
			expect(matches(glob, long)).toBe(false);
			expect(matches(glob, Array.from({ length: 200 }, () => "a").join("/"))).toBe(false);
		}
		expect(performance.now() - started).toBeLessThan(5000);
	});

	it("stops at its budget, by name", () => {
		const { matches: matchesWithin } = compileGlob("*aaaaaaaab");
		expect(() => matchesWithin("a".repeat(200), { steps: 100 })).toThrow(MatchBudgetError);
	});
});
