import { describe, expect, it } from "vitest";
import { type ActivityItem, checkClaims, claimsOf, namedFiles } from "../../src/index.ts";
import { claimed, dressedUp, honest } from "./claimed-sentences.ts";
import { missed, moreClaims } from "./more-claims.ts";
import { moreHonest } from "./more-honest.ts";
import { activityWith, byAgent, edit, notDone, reported } from "./reported-calls.ts";
import { heldReports, plainReports, reports } from "./reports.ts";

const sentences = Object.entries(claimed).flatMap(([language, listed]) => listed.map((text) => ({ language, text })));

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

	it.each(["denied", "found"] as const)(
		"marks what an agent claims after it did what was denied (%s), whatever else it reports or delivers",
		(unpermitted) => {
			const denied = { ...edit, status: "succeeded", unpermitted, words: "Write notes.md" } as const;
			const text = "I have written notes.md.";
			const found = [{ code: "CLAIM_WITHOUT_SUCCESS", reason: unpermitted, start: 0, end: text.length }];
			expect(byAgent(text, activityWith(denied, { ...reported, status: "succeeded" }), { delivered: ["notes.md"] })).toEqual(found);
			expect(byAgent("There are three old issues.", activityWith(denied), { delivered: ["notes.md"] })).toEqual([]);
		},
	);

	it("marks what an agent claims after it did something before the user denied it, but not if the user allowed it", () => {
		const done = { ...reported, status: "succeeded", unpermitted: "unanswered", words: "git push" } as const;
		const decided = (decision: "deny" | "allow_once") => activityWith({ ...done, approval: { required: true, decision, by: "person" } });
		const text = "I pushed the commits.";
		expect(byAgent(text, decided("deny"))).toEqual([{ code: "CLAIM_WITHOUT_SUCCESS", reason: "denied", start: 0, end: text.length }]);
		expect(byAgent(text, decided("allow_once"))).toEqual([]);
	});

	it("does not say that a call was denied if its request expired or was withdrawn after the agent had made the call", () => {
		const approval = { required: true, decision: "deny", by: "bridge" } as const;
		const done = { ...reported, status: "succeeded", unpermitted: "unanswered", words: "git push", approval } as const;
		expect(byAgent("I pushed the commits.", activityWith(done))).toEqual([]);
	});

	it("does not say that an agent reported a denied edit that only its file shows, nor that an unrelated claim is about it", () => {
		const silent = activityWith({ ...edit, status: "succeeded", unpermitted: "found", words: "Write notes.md" });
		for (const text of ["I sent the mail to Bob.", "Mail sent."]) {
			expect(byAgent(text, silent)).toEqual([{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: text.length }]);
		}
	});

	it("judges each claim by itself if a file whose edit was denied has only changed, since the user may have changed it", () => {
		const denied = {
			...edit,
			status: "succeeded",
			unpermitted: "found",
			onlyChanged: true,
			words: "Write notes.md",
			examined: ["notes.md"],
		} satisfies Partial<ActivityItem>;
		const activity = activityWith(denied, { ...edit, status: "succeeded", words: "Edit other.md" });
		const found = { "notes.md": "changed", "other.md": "changed" } as const;
		expect(byAgent("I updated other.md.", activity, { found })).toEqual([]);
		expect(byAgent("I updated other.md.", activity)).toEqual([]);
		expect(byAgent("I updated notes.md.", activity, { found })).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		expect(byAgent("I updated notes.md.", activity)).toHaveLength(1);
		expect(byAgent("I updated the notes.", activityWith(denied))).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
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

	it("marks each of the first hundred claims by itself, and nothing between the last of them and those after it", () => {
		const text = "I've sent it. ".repeat(500);
		const found = checkClaims(text, undefined, 0);
		expect(found).toHaveLength(100);
		expect(found.map(({ start, end }) => text.slice(start, end).trim())).toEqual(Array.from({ length: 100 }, () => "I've sent it."));
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

	it("finds no more claims than are wanted", () => {
		const claim = "I have scheduled the reminder. ";
		const text = `${claim.repeat(500)}And that is all.`;
		const every = claimsOf(text);
		const most = claimsOf(text, { most: 3 });
		expect(every).toHaveLength(500);
		expect(most).toEqual(every.slice(0, 3));
		expect(claimsOf(text, { isWanted: () => false })).toEqual([]);
		expect(claimsOf(text.slice(0, claim.length * 3), { most: 3 })).toHaveLength(3);
	});

	it.each(hostile)("takes no more than its length of %j", (piece) => {
		// A square would take an hour for the long one, and the bound is far above what a slow machine needs.
		expect(timeOf(piece.repeat(Math.ceil(262_144 / piece.length)))).toBeLessThan(1_000);
	});
});
