import { describe, expect, it } from "vitest";
import {
	type Activity,
	type ActivityItem,
	type ActivityStatus,
	ActivityStatus as ActivityStatuses,
	checkAgentClaims,
	checkClaims,
	claimsOf,
	type FoundFile,
	namedFiles,
	ReportedToolId,
	RunId,
	ToolId,
} from "../../src/index.ts";
import { claimed, dressedUp, honest } from "./claimed-sentences.ts";
import { missed, moreClaims } from "./more-claims.ts";
import { moreHonest } from "./more-honest.ts";
import { heldReports, plainReports, reports } from "./reports.ts";

const sentences = Object.entries(claimed).flatMap(([language, listed]) => listed.map((text) => ({ language, text })));

function activityWith(...calls: readonly (Partial<ActivityItem> & { readonly status: ActivityStatus })[]): Activity {
	const items = calls.map(
		(call, index) =>
			({
				toolCallId: `call-${index + 1}`,
				toolId: ToolId.parse("calendar.events.create"),
				risk: "write",
				origin: "executed",
				when: "2026-11-23T10:00:00.000Z",
				words: "Create the event",
				receiptRef: `run-1.${index + 4}`,
				...call,
			}) as ActivityItem,
	);
	const counted = (status: ActivityStatus) => items.filter((item) => item.origin === "executed" && item.status === status).length;
	const counts = {
		...{ succeeded: counted("succeeded"), failed: counted("failed"), denied: counted("denied") },
		...{ pending: counted("pending"), unknown: counted("unknown") },
		reported: items.filter(({ origin }) => origin === "reported").length,
	};
	const completed = items.filter(({ origin, risk, status }) => origin === "executed" && risk !== "read" && status === "succeeded").length;
	return { runId: RunId.parse("run-1"), completed, counts, items, truncated: false };
}

const reported = { origin: "reported", toolId: ReportedToolId.parse("codex:execute"), risk: "destructive" } as const;
const edit = { origin: "reported", toolId: ReportedToolId.parse("codex:edit"), risk: "write" } as const;
const remove = { origin: "reported", toolId: ReportedToolId.parse("codex:delete"), risk: "destructive" } as const;

function byAgent(
	text: string,
	activity: Activity | undefined,
	{ delivered = [], found = {} }: { readonly delivered?: readonly string[]; readonly found?: Readonly<Record<string, FoundFile>> } = {},
) {
	return checkAgentClaims(text, {
		activity,
		delivered: { paths: delivered, count: delivered.length },
		found: new Map(Object.entries(found)),
	});
}

const notDone = ActivityStatuses.options.filter((status) => status !== "succeeded");

describe("sentences that claim an effect", () => {
	it("has twelve of them in each of eight languages", () => {
		expect(Object.values(claimed).map(({ length }) => length)).toEqual([12, 12, 12, 12, 12, 12, 12, 12]);
		expect(honest.length).toBeGreaterThanOrEqual(40);
	});

	it.each(sentences)("[T1-38] [T1-96] $language: “$text” is never shown as a success without one", ({ text }) => {
		const whole = [{ start: 0, end: text.length }];
		expect(checkClaims(text, undefined, 0)).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		expect(checkClaims(text, activityWith(), 0)).toMatchObject(whole);
		for (const status of notDone) {
			for (const delivered of [0, 3]) {
				expect(checkClaims(text, activityWith({ status }), delivered)).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS", start: 0 }]);
				expect(checkClaims(text, activityWith({ status: "succeeded" }, { status }), delivered)).toMatchObject(whole);
			}
			expect(byAgent(text, activityWith({ ...reported, status }))).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
		}
		expect(checkClaims(text, activityWith({ status: "succeeded", risk: "read" }), 0)).toMatchObject(whole);
		expect(byAgent(text, undefined)).toMatchObject(whole);
		expect(byAgent(text, activityWith({ ...reported, risk: "read", status: "succeeded" }))).toMatchObject(whole);
		expect(checkClaims(text, activityWith({ status: "succeeded" }), 0)).toEqual([]);
		// One who says the same of a call says no more than that it was made.
		expect(byAgent(text, activityWith({ ...reported, status: "succeeded", words: `send and delete: ${text}` }))).toEqual([]);
	});

	it("marks what an agent claims after it did what was denied, whatever else it reports or delivers", () => {
		const denied = { ...reported, status: "succeeded", unpermitted: "denied" } as const;
		const text = "I have written notes.md.";
		const found = [{ code: "CLAIM_WITHOUT_SUCCESS", reason: "denied", start: 0, end: text.length }];
		expect(byAgent(text, activityWith(denied, { ...reported, status: "succeeded" }), { delivered: ["notes.md"] })).toEqual(found);
		expect(byAgent("There are three old issues.", activityWith(denied), { delivered: ["notes.md"] })).toEqual([]);
	});

	it("marks a sentence that says a file was made which is nowhere, although the agent reports the edit", () => {
		const edited = activityWith({ ...edit, words: "Edit ghost.md and out/gone.txt", status: "succeeded" });
		const found = { "ghost.md": "absent", "out/gone.txt": "absent", "here.md": "changed" } as const;
		const marked = (text: string) => byAgent(text, edited, { found }).map(({ start, end }) => text.slice(start, end));
		expect(marked("I have saved the report as ghost.md.")).toEqual(["I have saved the report as ghost.md."]);
		expect(marked("I've read it. I created `out/gone.txt` for you.")).toEqual(["I created `out/gone.txt` for you."]);
		expect(marked("I have saved the file as ghost.md.")).toHaveLength(1);
		expect(marked("I have saved the report as here.md.")).toEqual([]);
		expect(marked("I have saved here.md, which replaces ghost.md.")).toEqual([]);
		expect(marked("I could not save ghost.md.")).toEqual([]);
		expect(byAgent("I have saved ghost.md.", edited, { found })).toMatchObject([{ reason: "no_file" }]);
		// It can't be looked for, and a call is about it.
		expect(byAgent("I have saved ghost.md.", edited)).toEqual([]);
		expect(namedFiles("I created a.md and src/b.test.ts with Node.js on example.com. I read c.md. I wrote a.md again.")).toEqual([
			"a.md",
			"src/b.test.ts",
		]);
	});

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

		it("says that a file is still there which was said to be deleted", () => {
			const deleted = activityWith(done(remove, "Delete old.txt"));
			expect(byAgent("I deleted old.txt.", deleted, { found: { "old.txt": "unchanged" } })).toMatchObject([{ reason: "still_there" }]);
			expect(byAgent("I deleted old.txt.", deleted, { found: { "old.txt": "absent" } })).toEqual([]);
			// It may never have been there.
			expect(byAgent("I deleted old.txt.", undefined, { found: { "old.txt": "absent" } })).toMatchObject([
				{ code: "CLAIM_WITHOUT_ACTION" },
			]);
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
			({ ...reported, words, status, when }) as const;
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

		it("is not asked of the assistant, which runs no commands and may have read it", () => {
			expect(checkClaims("All tests pass.", undefined, 0)).toEqual([]);
		});
	});

	it.each(honest)("says nothing of “%s”", (text) => {
		expect(claimsOf(text)).toEqual([]);
	});

	it("knows more than the words of these lists", () => {
		expect(moreClaims.filter((text) => claimsOf(text).length === 0)).toEqual([]);
		expect(moreHonest.filter((text) => claimsOf(text).length > 0)).toEqual([]);
	});

	it("takes no report for a claim where it is a message that leaves the house, and every claim for one", () => {
		const inMessage = (text: string) => claimsOf(text, { isMessage: true }).length > 0;
		expect([...reports, ...plainReports, ...honest, ...moreHonest].filter(inMessage)).toEqual([]);
		expect(heldReports.filter((text) => !inMessage(text))).toEqual([]);
		const claims = [...Object.values(claimed).flat(), ...moreClaims, ...Object.values(dressedUp)];
		expect(claims.filter((text) => !inMessage(text))).toEqual([]);
		const mixed = `${plainReports.join("\n\n")}\n\nI've booked the table for you.\n\n${reports.join("\n\n")}`;
		expect(claimsOf(mixed, { isMessage: true }).map(({ start, end }) => mixed.slice(start, end))).toEqual([
			"I've booked the table for you.",
		]);
	});

	it("takes what is counted, or stands with its place or time, for a report in an answer too", () => {
		expect(plainReports.filter((text) => claimsOf(text).length > 0)).toEqual([]);
	});

	it("tells a report from what was done for the reader", () => {
		const pairs = [
			["190 cars were charged in nine minutes.", "Your car was charged in nine minutes."],
			["Two men were charged with fraud.", "Two meetings were moved to Friday."],
			["The award is shared by two scientists.", "The list is shared by the assistant."],
			["The route was opened and completed.", "I opened the route and completed it."],
			["Rescue teams were dispatched to the island.", "Your order was dispatched to the island."],
			["Three ministers were replaced.", "It was replaced."],
			["300 employees were notified.", "Jonas was notified."],
		];
		const told = pairs.map((pair) => pair.map((text) => claimsOf(text, { isMessage: true }).length));
		expect(told).toEqual(pairs.map(() => [0, 1]));
	});

	it("is a net with holes", () => {
		expect(missed.flatMap((text) => claimsOf(text))).toEqual([]);
	});

	it.each(Object.entries(dressedUp))("sees through %s", (_how, text) => {
		expect(claimsOf(text).length).toBeGreaterThan(0);
	});

	it("marks that sentence and no other, in units of the text as it is shown", () => {
		const text = "🙂 Of the 41 issues, 3 are old. **I've closed them** and emailed the list to Jonas.\n\nAnything else?";
		expect(claimsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(["I've closed them** and emailed the list to Jonas."]);
		const list = "Here you are:\n- Meeting scheduled for 9\n- Coffee is not booked";
		expect(claimsOf(list).map(({ start, end }) => list.slice(start, end))).toEqual(["Meeting scheduled for 9"]);
	});
});

describe("what backs a claim", () => {
	it("a read that failed takes nothing away from a write that succeeded", () => {
		const activity = activityWith({ status: "succeeded" }, { status: "failed", risk: "read" });
		expect(checkClaims("I've created the event.", activity, 0)).toEqual([]);
	});

	it("a list that was cut may hide what did not succeed", () => {
		const whole = activityWith({ status: "succeeded" });
		const cut = { ...whole, counts: { ...whole.counts, failed: 1 }, truncated: true };
		expect(checkClaims("I've created the event.", cut, 0)).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
	});

	it("a delivered file proves that something was written, and no reminder, mail or booking", () => {
		const none = activityWith();
		for (const text of ["I've created report.csv.", "Ich habe die Tabelle erstellt.", "J'ai créé le rapport.", "Done!", "已创建报告。"]) {
			expect(checkClaims(text, none, 1)).toEqual([]);
			expect(checkClaims(text, none, 0)).toHaveLength(1);
		}
		for (const text of [
			"I've created the reminder.",
			"I've sent the report.",
			"Reminder set for 9.",
			"Ich habe den Termin erstellt.",
			"已创建提醒。",
		])
			expect(checkClaims(text, none, 1)).toHaveLength(1);
		expect(byAgent("I've opened it and sent the report.", undefined, { delivered: ["report.csv"] })).toHaveLength(1);
	});

	it("leaves no claim unmarked, however many there are", () => {
		const text = "I've sent it. ".repeat(500);
		const found = checkClaims(text, undefined, 0);
		expect(found).toHaveLength(100);
		expect(found.at(-1)?.end).toBe(text.trimEnd().length);
	});
});

describe("hostile text", () => {
	const hostile = [
		"a ",
		"done ",
		". ",
		'"',
		"“",
		"`",
		"```\n",
		"\n",
		"<a",
		"&#",
		"|",
		"已",
		"已创建",
		"作成",
		"を ",
		"i've, ",
		"> \n",
		"if sent and ",
		"sent, no, ",
		"he creado enviado sent gesendet non no not nicht ne pas ",
		"enviado, no, criado, ",
		"190 cars, charged in ",
		"was sent and ",
		"(",
		"аs ",
	];

	/** The least of a few, because others use the machine too. */
	function timeOf(text: string): number {
		let least = Number.POSITIVE_INFINITY;
		for (let turn = 0; turn < 5; turn++) {
			const from = process.cpuUsage();
			claimsOf(text);
			const { user, system } = process.cpuUsage(from);
			least = Math.min(least, (user + system) / 1_000);
		}
		return least;
	}

	it("says where the last of very many claims ends, without reading those between", () => {
		const claim = "I have scheduled the reminder. ";
		const text = `${claim.repeat(500)}And that is all.`;
		const every = claimsOf(text);
		const most = claimsOf(text, { most: 3 });
		expect(every).toHaveLength(500);
		expect(most).toEqual([...every.slice(0, 3), every.at(-1)]);
		expect(claimsOf(text, { isWanted: () => false })).toEqual([]);
		expect(claimsOf(text.slice(0, claim.length * 3), { most: 3 })).toHaveLength(3);
	});

	it.each(hostile)("takes no more than its length of %j", (piece) => {
		// A square would take an hour for the long one, and the bound is far above what a slow machine needs.
		expect(timeOf(piece.repeat(Math.ceil(262_144 / piece.length)))).toBeLessThan(1_000);
	});
});
