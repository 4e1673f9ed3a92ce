import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../repository.ts";

/**
 * Runs .ci/run with an npm that prints, per command line, what `script` (a shell's `case` lines) says.
 * @param begun seconds that the run has taken when it begins: bash counts on from the variable SECONDS
 */
function ciRun(script: string, begun = 0) {
	const root = mkdtempSync(join(tmpdir(), "ci run "));
	mkdirSync(join(root, "bin"));
	cpSync(join(repositoryRoot, ".ci"), join(root, ".ci"), { recursive: true });
	const npm = `#!/usr/bin/env bash\ncase "$*" in\n${script}\n*) echo " Tests  10 passed (10)" ;;\nesac\n`;
	writeFileSync(join(root, "bin", "npm"), npm, { mode: 0o755 });
	const PATH = `${join(root, "bin")}${delimiter}${process.env.PATH ?? ""}`;
	const { status, stdout } = spawnSync(join(root, ".ci", "run"), {
		env: { PATH, CHROMIUM: "/bin/true", SECONDS: String(begun) },
		encoding: "utf8",
	});
	rmSync(root, { recursive: true });
	return { status, lines: stdout.trim().split("\n") };
}

const failing = (...files: string[]) =>
	[
		...files.map((file) => `echo " FAIL  |browser| ${file} > a test"`),
		`echo " Tests  ${files.length} failed | 5 passed (9)"`,
		"exit 1",
	].join("; ");

it("passes when every step passes", () => {
	const { status, lines } = ciRun("");
	expect([status, lines.at(-1)]).toEqual([0, "60 passed, 0 failed"]);
});

it("says how long each step took", () => {
	const { lines } = ciRun("");
	expect(lines.at(-2)).toMatch(
		/^check \d+ s; everyday tests \d+ s; system tests \d+ s; browser \d+ s; extended tests \d+ s; mutants \d+ s; in all \d+ s$/,
	);
});

it("tries a test file that failed once more alone, and names it when it passes then", () => {
	const { status, lines } = ciRun(`"run --silent test:browser") ${failing("e2e/ui/a.test.ts")} ;;`);
	expect(lines).toContain("== again, alone: e2e/ui/a.test.ts");
	expect(lines.slice(-2)).toEqual(["Unsteady: e2e/ui/a.test.ts failed at first and passed alone", "56 passed, 0 failed"]);
	expect(status).toBe(0);
});

it("tries each file that failed on its own: what fails both times counts alone", () => {
	const { status, lines } = ciRun(
		`*"-- a.test.ts") ${failing("a.test.ts")} ;;\n"run --silent test:browser") ${failing("a.test.ts", "b.test.ts")} ;;`,
	);
	expect(lines.slice(-3)).toEqual(["Unsteady: b.test.ts failed at first and passed alone", "Failed: a.test.ts", "56 passed, 1 failed"]);
	expect(status).toBe(1);
});

it("tries a mutant that was not caught once more", () => {
	const { status, lines } = ciRun(
		`*" -- kept-1") echo "1 passed, 0 failed" ;;\n*"test:mutants"*) echo "FAILED kept-1: a promise (1 s)"; echo "5 passed, 1 failed"; exit 1 ;;`,
	);
	expect(lines).toContain("Unsteady: kept-1 failed at first and passed alone");
	expect(status).toBe(0);
});

it("gives the mutants the time that is left, and names those that were not tried", () => {
	const { status, lines } = ciRun(
		`"run --silent test:mutants -- --within "3[89]??) echo "Out of time: 1 of 6 mutants not tried: kept-1"; echo "5 passed, 0 failed" ;;`,
	);
	expect(lines.slice(-2)).toEqual(["Out of time: 1 of 6 mutants not tried: kept-1", "55 passed, 0 failed"]);
	expect(status).toBe(0);
});

it("leaves out the extended tests when the run has taken too long before, and says so", () => {
	const { status, lines } = ciRun(`"run --silent test:extended") echo " Tests  1 failed (1)"; exit 1 ;;`, 2_701);
	expect(lines.slice(-2)).toEqual(["Out of time: the extended tests were not run (npm run test:extended)", "50 passed, 0 failed"]);
	expect(status).toBe(0);
});

it("tries nothing a second time when the run has taken too long", () => {
	const { status, lines } = ciRun(`"run --silent test:browser") ${failing("a.test.ts")} ;;`, 4_501);
	expect(lines).toContain("== no time to try again: a.test.ts");
	expect([status, ...lines.slice(-2)]).toEqual([1, "Failed: a.test.ts", "45 passed, 1 failed"]);
});

it.each([
	["fails both times", `*"test:browser"*) ${failing("e2e/ui/a.test.ts")} ;;`, "e2e/ui/a.test.ts"],
	[
		"is one of eleven",
		`"run --silent test:browser") ${failing(..."abcdefghijk".split("").map((name) => `${name}.test.ts`))} ;;`,
		"k.test.ts",
	],
	["is a mutant", `*"test:mutants"*) echo "FAILED kept-1: a promise (1 s)"; echo "5 passed, 1 failed"; exit 1 ;;`, "kept-1"],
	["is no test: a check", `"run --silent check") echo "FAILED dead code (31 ms)"; exit 1 ;;`, "dead code"],
	["is no test: an error outside of all", `"test") echo " Unhandled Errors"; ${failing("a.test.ts")} ;;`, "npm test"],
	[
		"is a mutant whose test is gone",
		`"test") echo "Mutant without a test: kept-1 (why)"; ${failing("a.test.ts")} ;;`,
		"Mutant without a test: kept-1 (why)",
	],
	["has no name", `"test") exit 1 ;;`, "npm test"],
])("fails when what failed %s, and names it", (_what, script, name) => {
	const { status, lines } = ciRun(script);
	expect(lines.at(-2)).toBe(`Failed: ${name}`);
	expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
	expect(status).toBe(1);
});
