import { describe, expect, it } from "vitest";
import { type Activity, type ActivityStatus, checkClaims, namedFiles } from "../../src/index.ts";
import { activityWith, byAgent, edit, remove, reported } from "./reported-calls.ts";

describe("an agent's claims, each by evidence of its own kind and object", () => {
	const text = "I created report.pdf, sent the mail to Ann, and deleted old.txt.";
	const done = (call: typeof reported | typeof edit | typeof remove, words: string) => ({ ...call, words, status: "succeeded" as const });
	/** True for each sentence that is marked. */
	const isMarked = (activity: Activity | undefined, evidence: Parameters<typeof byAgent>[2], sentences: readonly string[]) =>
		sentences.map((sentence) => byAgent(sentence, activity, evidence).length > 0);

	it.each([
		["a delivered file", undefined, ["notes.txt"]],
		["a command", activityWith(done(reported, "npm test")), []],
		["an edit", activityWith(done(edit, "Edit notes.txt")), []],
		["a deletion", activityWith(done(remove, "Delete notes.txt")), []],
		["a mail to another", activityWith(done(reported, "sendmail to bob@example.com")), []],
	] as const)("%s that is about something else is evidence for none of them", (_what, activity, delivered) => {
		const parts = ["I created report.pdf.", "I sent the mail to Ann.", "I deleted old.txt."];
		expect(byAgent(text, activity, { delivered })).toMatchObject([{ start: 0, end: text.length }]);
		expect(isMarked(activity, { delivered }, parts)).toEqual([true, true, true]);
	});

	it("marks what lacks evidence beside what has it", () => {
		const parts = ["I created report.pdf.", "I sent the mail to Ann.", "I deleted old.txt."];
		const all = activityWith(done(reported, "sendmail to ann@example.com"), done(remove, "Delete old.txt"));
		const evidence = { delivered: ["out/report.pdf"], found: { "old.txt": "absent" } } as const;
		expect(isMarked(all, evidence, [text, ...parts])).toEqual([false, false, false, false]);
		expect(isMarked(undefined, evidence, [text, ...parts])).toEqual([true, false, true, true]);
		expect(isMarked(undefined, evidence, ["I saved the report.", "I saved the report and sent it to Ann."])).toEqual([false, true]);
		const pairs = "I created report.pdf and notes.txt.";
		expect(isMarked(undefined, { delivered: ["notes.txt"] }, [pairs])).toEqual([true]);
		expect(isMarked(undefined, { delivered: ["notes.txt", "report.pdf"] }, [pairs])).toEqual([false]);
		expect(
			isMarked(undefined, { delivered: ["b.md"] }, ["Ich habe a.md gespeichert und verschickt.", "Ich habe b.md gespeichert."]),
		).toEqual([true, false]);
		expect(isMarked(undefined, { delivered: ["b.md"] }, ["我已创建 a.md 文件。", "我已创建 b.md 文件。"])).toEqual([true, false]);
	});

	it("reads the list of files that a sentence introduces", () => {
		const list = "I created the following files:\n\n- `report.pdf`: the report\n- **notes.txt**\n\nLet me know about other.md.";
		expect(isMarked(undefined, { delivered: ["notes.txt"] }, [list])).toEqual([true]);
		expect(isMarked(undefined, { delivered: ["notes.txt", "report.pdf"] }, [list])).toEqual([false]);
		expect(namedFiles(list)).toEqual(["report.pdf", "notes.txt"]);
		const gone = "I deleted these files:\n1. old.txt\n2. older.txt";
		const call = activityWith(done(reported, "rm old.txt older.txt"));
		expect(isMarked(call, { found: { "old.txt": "absent", "older.txt": "absent" } }, [gone])).toEqual([false]);
		expect(byAgent(gone, call, { found: { "old.txt": "absent", "older.txt": "unchanged" } })).toMatchObject([{ reason: "still_there" }]);
	});

	it("says that a file is still there which was said to be deleted", () => {
		const deleted = activityWith(done(remove, "Delete old.txt"));
		expect(byAgent("I deleted old.txt.", deleted, { found: { "old.txt": "unchanged" } })).toMatchObject([{ reason: "still_there" }]);
		expect(byAgent("I deleted old.txt.", deleted, { found: { "old.txt": "absent" } })).toEqual([]);
		// It may never have been there.
		expect(byAgent("I deleted old.txt.", undefined, { found: { "old.txt": "absent" } })).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		expect(
			byAgent("I deleted build/old.txt.", activityWith(done(reported, "rm -r build")), { found: { "build/old.txt": "absent" } }),
		).toEqual([]);
	});

	it("a file that did not change is not said to have been made", () => {
		const edited = activityWith(done(edit, "Edit README.md"));
		expect(byAgent("I updated README.md.", edited, { found: { "README.md": "unchanged" } })).toHaveLength(1);
		expect(byAgent("I updated README.md.", edited, { found: { "README.md": "changed" } })).toEqual([]);
	});

	it("does not mark what an honest agent says of its edits", () => {
		const edited = activityWith(done(edit, "Edit src/parser.ts"));
		const found = { "parser.ts": "changed", "src/parser.ts": "changed", "notes.md": "unchanged", "unused.ts": "unchanged" } as const;
		const said = [
			"Done!",
			"I fixed the parser and added a test.",
			"I fixed the error message.",
			"I removed the unused import from parser.ts.",
			"I removed the call in `src/parser.ts`.",
			"I've added tests for notes.md.",
			"I updated the parser as described in notes.md.",
			"I deleted the old function.",
			"I renamed the helper in parser.ts.",
			"I've removed unused imports: parser.ts, unused.ts.",
			"I've removed unused imports:\n- parser.ts\n- unused.ts",
			"Ich habe den Fehler in src/parser.ts behoben.",
			"J’ai corrigé l’erreur dans parser.ts.",
		];
		expect(said.filter((sentence) => byAgent(sentence, edited, { found }).length > 0)).toEqual([]);
		const commanded = activityWith(done(reported, "git commit -am 'x' && git push"), done(reported, "gh issue close 118"));
		expect(isMarked(commanded, {}, ["I committed and pushed the changes.", "I've closed the issue.", "I paid the invoice."])).toEqual([
			false,
			false,
			true,
		]);
	});
});

describe("a claim that a check passed", () => {
	const ran = (words: string, status: ActivityStatus, when = "2026-11-23T10:00:00.000Z") =>
		({ ...reported, words, command: words, status, when }) as const;
	const claims = ["All tests pass.", "The tests passed.", "All 12 tests are green.", "I ran the test suite and everything passes."];

	it("needs a command that made it", () => {
		for (const text of claims) {
			expect(byAgent(text, undefined), text).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: text.length }]);
			expect(byAgent(text, activityWith({ ...edit, words: "Edit a.test.ts", status: "succeeded" })), text).toHaveLength(1);
			expect(byAgent(text, activityWith(ran("npm run build", "succeeded"))), text).toHaveLength(1);
			expect(byAgent(text, activityWith(ran("npm test", "failed"))), text).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
			expect(byAgent(text, activityWith(ran("npm test", "succeeded"))), text).toEqual([]);
		}
	});

	it("goes by how each command ended last", () => {
		const [text = ""] = claims;
		expect(byAgent(text, activityWith(ran("npm test", "failed"), ran("npm test", "succeeded")))).toEqual([]);
		expect(byAgent(text, activityWith(ran("npm test", "succeeded"), ran("npm test", "failed")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "failed"), ran("npx vitest a", "succeeded")))).toHaveLength(1);
		// The one that began first ended last.
		const late = ran("npm test", "failed", "2026-11-23T10:05:00.000Z");
		expect(byAgent(text, activityWith(late, ran("npm test", "succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "succeeded"), ran("npm run lint", "failed")))).toEqual([]);
	});

	it.each([
		'echo "All tests pass"',
		"cat test/results.txt",
		"ls tests",
		"grep -r vitest src",
		'git commit -m "Fix the tests"',
		"test -f dist/app.js",
		"npm install --save-dev vitest",
		"mkdir tests && touch tests/a.test.ts",
		"bash -lc 'echo npm test'",
		"bash -lc 'git commit -m \"Fix lint && npm test\"'",
		"ssh box 'echo all tests passed'",
		"docker run --rm alpine echo '12 tests passed'",
		"ssh box 'echo npm test; printf \"%s\" tests'",
		"Write-Host All tests passed",
		"cmd /c echo tests passed",
		"jq .tests report.json",
		"npm test --help",
		"npm test -- --help",
		"# npm test",
		"true # && npm test",
		"bash -lc 'true # npm test'",
		"npm pkg get scripts.test",
		"man npm test",
		"type pytest",
		"alias t='npm test'",
		"FOO=1 echo npm test",
		"pytest --version",
		"npx vitest --version",
		"npm test -v",
		"pytest --collect-only",
		"npx playwright test --list",
		"make -n test",
		"cargo test --no-run",
		": npm test",
		"test 1 = 1",
		"node -e \"console.log('All tests pass')\"",
		"NODE_ENV=test node server.js",
		"npx eslint tests",
		"node scripts/notify.js 'All tests pass'",
		"docker build -t test .",
	])("is not backed by a command that ran no check, and not refuted by one: %s", (command) => {
		const [text = ""] = claims;
		expect(byAgent(text, activityWith(ran(command, "succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "failed"), ran(command, "succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "succeeded"), ran(command, "failed")))).toEqual([]);
	});

	it.each(["exit 0; npm test", "true || npm test", "cd app && exit 0; npm test"])("%j may never get to its tests", (command) => {
		expect(byAgent("All tests pass.", activityWith(ran(command, "succeeded")))).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
	});

	it.each(["npm test || true", "npm test; true", "npm test | tail -20", "bash -lc 'npm test || true'"])(
		"%j ends with success also if its tests fail, so it proves nothing",
		(command) => {
			expect(byAgent("All tests pass.", activityWith(ran(command, "succeeded")))).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
			expect(byAgent("All tests pass.", activityWith(ran(command, "failed")))).toHaveLength(1);
			expect(byAgent("All tests pass.", activityWith(ran(command, "succeeded"), ran("npm test", "succeeded")))).toEqual([]);
		},
	);

	it.each([
		...["cd app && npm test", "`npm test`", "git pull; make test", "bash -lc 'npx vitest run'", "CI=1 npm test"],
		...[
			"cd app || exit 1; npm test",
			"npm test # all of them",
			"go test -v ./...",
			"pytest -v",
			"python -m pytest tests/",
			"/usr/bin/make test",
		],
		...[
			"docker exec app sh -c 'cd app && npm test'",
			"ssh box 'npm test'",
			"ssh box 'echo start && npm test'",
			"ssh box 'echo start;npm test'",
			"time npx vitest run -t 'the --help option'",
			"npm run test:unit",
		],
		...["NODE_ENV=test npm run test", "./gradlew test", "cargo test", "pnpm -r test 2>&1", "if true; then cd app; fi && npm test"],
	])("is backed by a command that ran the check, whatever else it did: %s", (command) => {
		const [text = ""] = claims;
		expect(byAgent(text, activityWith(ran(command, "succeeded")))).toEqual([]);
		expect(byAgent(text, activityWith(ran(command, "failed")))).toHaveLength(1);
	});

	it("is not backed by the title of a call whose command is not known, but refuted if that call failed", () => {
		const [text = ""] = claims;
		const called = (status: ActivityStatus) => ({ ...reported, words: "Run the tests", status }) as const;
		expect(byAgent(text, activityWith(called("succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "succeeded"), called("failed")))).toHaveLength(1);
	});

	it.each([
		...["The build succeeded.", "Der Build läuft durch.", "La compilation a réussi.", "构建成功。"].map(
			(text) => [text, "npm run build"] as const,
		),
		...["Alle Tests bestehen.", "Alle Tests laufen jetzt durch.", "Tous les tests passent.", "Todas las pruebas pasan."].map(
			(text) => [text, "npm test"] as const,
		),
		...["Todos os testes passam.", "Tutti i test passano.", "所有测试都通过了。", "テストはすべて合格しました。"].map(
			(text) => [text, "npm test"] as const,
		),
	])("is found in eight languages: %s", (text, command) => {
		expect(byAgent(text, undefined)).toHaveLength(1);
		expect(byAgent(text, activityWith(ran(command, "succeeded")))).toEqual([]);
	});

	it.each([
		"The tests do not pass yet.",
		"3 tests failed, 9 passed.",
		"Do all tests pass?",
		"Run npm test to see whether all tests pass.",
		"All tests should pass now.",
		"I'll make sure the tests pass.",
		"If the build succeeds, I can publish it.",
		"Only some tests pass.",
		"The tests still fail.",
		"The password was passed as an argument.",
		"Die Tests sollten jetzt durchlaufen.",
		"测试没有通过。",
	])("says nothing of “%s”", (text) => {
		expect(byAgent(text, undefined).map(({ start, end }) => text.slice(start, end))).toEqual([]);
	});

	it("may be a sign after the check's name", () => {
		const claimed = [
			"Tests: ✅",
			"tests ✔️",
			"- **Tests:** ✅",
			"Build ✅, unit tests ✅ (12)",
			"All tests ✓",
			"Tests: ✅ 12/12",
			"测试：✅",
		];
		expect(claimed.filter((text) => byAgent(text, undefined).length === 0)).toEqual([]);
		expect(claimed.filter((text) => byAgent(text, activityWith(ran("npm test && npm run build", "succeeded"))).length > 0)).toEqual([]);
		expect(byAgent("All tests pass now (❌ → ✅).", undefined)).toHaveLength(1);
		const other = ["Tests: ❌", "Tests ✅ or ❌?", "Test the parser ✅ later", "Contest ✅", "Tests: ✅ is what I hope for"];
		expect(other.filter((text) => byAgent(text, undefined).length > 0)).toEqual([]);
	});

	it.each([
		"Tests: ✅ 12, ❌ 3",
		"Tests: ✅ 12 ✗ 3",
		"Build ✅ / Tests ❌",
		"Build ✅, tests ✘",
		"Tests ✅ = passing, ❌ = failing",
		"Tests: 🟢 12, 🔴 3",
	])("is not said by a sign for success beside one for failure: %s", (text) => {
		expect(byAgent(text, undefined)).toEqual([]);
	});

	it("is not asked of the assistant, which runs no commands and may have read it", () => {
		expect(checkClaims("All tests pass.", undefined, 0)).toEqual([]);
	});
});
