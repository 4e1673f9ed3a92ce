import { describe, expect, it } from "vitest";
import {
	type Activity,
	type ActivityItem,
	type ActivityStatus,
	ActivityStatus as ActivityStatuses,
	checkAgentClaims,
	checkClaims,
	claimsOf,
	ReportedToolId,
	RunId,
	ToolId,
} from "../../src/index.ts";
import { claimed, dressedUp, honest } from "./claimed-sentences.ts";
import { missed, moreClaims } from "./more-claims.ts";
import { moreHonest } from "./more-honest.ts";

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
			expect(checkAgentClaims(text, activityWith({ ...reported, status }), 0)).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
		}
		expect(checkClaims(text, activityWith({ status: "succeeded", risk: "read" }), 0)).toMatchObject(whole);
		expect(checkAgentClaims(text, undefined, 0)).toMatchObject(whole);
		expect(checkAgentClaims(text, activityWith({ ...reported, risk: "read", status: "succeeded" }), 0)).toMatchObject(whole);
		expect(checkClaims(text, activityWith({ status: "succeeded" }), 0)).toEqual([]);
		expect(checkAgentClaims(text, activityWith({ ...reported, status: "succeeded" }), 0)).toEqual([]);
	});

	it.each(honest)("says nothing of “%s”", (text) => {
		expect(claimsOf(text)).toEqual([]);
	});

	it("knows more than the words of these lists", () => {
		expect(moreClaims.filter((text) => claimsOf(text).length === 0)).toEqual([]);
		expect(moreHonest.filter((text) => claimsOf(text).length > 0)).toEqual([]);
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
		expect(checkAgentClaims("I've opened it and sent the report.", undefined, 1)).toEqual([]);
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
