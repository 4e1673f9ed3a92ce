import { Activity, Snapshot } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planAnswer, planProgress } from "../../src/operator/discord/text/answer-plan.ts";
import { answerText, fencedJson, isFenceOpen, plainWords } from "../../src/operator/discord/text/escape-text.ts";
import { POST_LENGTH, splitText } from "../../src/operator/discord/text/split-text.ts";

describe("foreign words", () => {
	it.each([
		["@everyone", "\\@everyone"],
		["<@200> <#3> <t:1:R>", "\\<\\@200\\> \\<\\#3\\> \\<t\\:1\\:R\\>"],
		["**bold** _it_ ~~no~~ ||x||", "\\*\\*bold\\*\\* \\_it\\_ \\~\\~no\\~\\~ \\|\\|x\\|\\|"],
		["a\n# b\n> c", "a \\# b \\> c"],
		["[x](https://e.example)", "\\[x\\]\\(https\\://e\\.example\\)"],
		["a\u202eb\u200bc\u0007", "a\\\\u{202e}b\\\\u{200b}c\\\\u{7}"],
		["```js", "\\`\\`\\`js"],
		["\\*", "\\\\\\*"],
	])("show %j as it is", (text, shown) => {
		expect(plainWords(text)).toBe(shown);
	});

	it("have a length", () => {
		expect(plainWords("x".repeat(1_000), 50)).toHaveLength(50);
	});
});

describe("an answer", () => {
	it("keeps its paragraphs, emphasis and code", () => {
		const text = "**Yes.**\n\n- one\n- two\n\n```ts\nconst a = '<@1>' > @x;\n```\n`<@2>` done";
		expect(answerText(text)).toBe(text);
	});

	it.each([
		["@here <@1> <@&2> <#3>", "\\@here \\<\\@1> \\<\\@&2> \\<#3>"],
		["[bank](https://evil.example)", "[bank]\\(https://evil.example)"],
		["> 5 actions completed", "\\> 5 actions completed"],
		["-# 3 receipts", "\\-# 3 receipts"],
		["||hidden||", "\\|\\|hidden\\|\\|"],
		["\\<@1>", "\\\\\\<\\@1>"],
		["a\u202eb", "a\\u{202e}b"],
	])("%j has no effect", (text, shown) => {
		expect(answerText(text)).toBe(shown);
	});

	it("closes code that it left open, so that what follows is not in it", () => {
		expect(isFenceOpen(answerText("```js\nlet x"))).toBe(false);
	});

	it("never leaves a code block open, whatever it is", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom("```", "`", "``", "\n", "a", " ", "\\", "<@1>", "😀", "> ", "@everyone")), (pieces) => {
				const shown = answerText(pieces.join(""));
				return !isFenceOpen(shown) && (shown.includes("```") || !/(?<!\\)@everyone/.test(shown) || shown.includes("`"));
			}),
		);
	});

	it("shows JSON in a block that nothing in it ends, and that means the same", () => {
		const json = JSON.stringify({ text: "```\n@everyone" });
		const shown = fencedJson(json);
		expect(shown.split("```")).toHaveLength(3);
		expect(JSON.parse(shown.slice("```json\n".length, -"\n```".length))).toEqual(JSON.parse(json));
	});
});

describe("a split text", () => {
	it("is whole, in parts that fit", () => {
		const text = Array.from({ length: 900 }, (_, n) => `word${n}`).join(" ");
		const parts = splitText(text);
		expect(parts.length).toBeGreaterThan(2);
		expect(parts.join(" ")).toBe(text);
	});

	it("tears no code block, and begins the next part in its language", () => {
		const code = "let x = 1;\n".repeat(400);
		const parts = splitText(`before\n\`\`\`js\n${code}\`\`\`\nafter`);
		for (const part of parts) expect(isFenceOpen(part)).toBe(false);
		expect(parts[1]?.startsWith("```js\n")).toBe(true);
		expect(parts.join("").split("let x = 1;")).toHaveLength(401);
	});

	it("has parts that fit and are well formed, whatever the text is", () => {
		const piece = fc.constantFrom("😀", "a", " ", "\n", "```", "```js\n", "\\", "\\*", "b".repeat(90), "家");
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 400 }), fc.integer({ min: 100, max: 300 }), (pieces, most) => {
				const parts = splitText(answerText(pieces.join("")), most);
				return parts.every((part) => part.length <= most && part.isWellFormed() && !isFenceOpen(part) && part !== "");
			}),
			{ numRuns: 500 },
		);
	});
});

const snapshot = (more: object): Snapshot =>
	Snapshot.parse({
		runId: "run-1",
		sessionId: "discord-300",
		threadId: "discord-300",
		turnId: "1001",
		provider: { target: "agent", providerId: "script" },
		status: "completed",
		success: true,
		output: { text: "Done.", truncated: false, totalBytes: 5 },
		artifactScope: `tasks/discord-300-${"0".repeat(12)}/run-1`,
		artifacts: { count: 0, totalBytes: 0, digest: "0".repeat(64), items: [] },
		rejectedArtifacts: [],
		lastSeq: 5,
		serverTime: "2026-01-01T00:02:00.000Z",
		createdAt: "2026-01-01T00:00:00.000Z",
		pendingApprovals: [],
		startedAt: "2026-01-01T00:00:00.000Z",
		endedAt: "2026-01-01T00:01:58.000Z",
		receipts: { count: 15, head: "c81f20a96b3e".padEnd(64, "0") },
		...more,
	});

describe("the posts of an ended run", () => {
	it("end with what was done, and twelve digits of the head", () => {
		const { parts, file } = planAnswer(snapshot({}), "https://home.example");
		expect(parts).toEqual([
			"Done.\n> 0 actions completed\\.\n-# 1 min 58 s · 15 receipts, c81f 20a9 6b3e · [Open in XWorkmate](<https://home.example/#/t/discord-300>)",
		]);
		expect(file).toBeUndefined();
	});

	it.each([
		["00:00:07", "7 s"],
		["00:04:00", "4 min"],
		["00:59:59.700", "1 h"],
		["02:05:31", "2 h 5 min"],
	])("say how long the run took: %s", (endedAt, expected) => {
		const { parts } = planAnswer(snapshot({ endedAt: `2026-01-01T${endedAt}${endedAt.includes(".") ? "" : ".000"}Z` }));
		expect(parts.join("")).toContain(`-# ${expected} · `);
	});

	it("have no link without an address", () => {
		expect(planAnswer(snapshot({})).parts.join("")).not.toContain("](");
	});

	it("names the commands that the agent reported as failed, whatever it says", () => {
		const command = (words: string) => ({
			...{ toolCallId: words, toolId: "codex:execute", risk: "destructive", origin: "reported", when: "2026-01-01T00:00:00.000Z" },
			...{ receiptRef: "run-1.2", status: "failed", code: "TOOL_FAILED", words },
		});
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 4 };
		const of = (words: readonly string[]) => {
			const activity = Activity.parse({ runId: "run-1", completed: 0, counts, items: words.map(command), truncated: false });
			return planAnswer(snapshot({ activity })).parts.join("\n");
		};
		expect(of(["npm test @here"])).toContain("> **1 command failed:** npm test \\@here\n");
		expect(of(["a", "b", "c", "d"])).toContain("> **4 commands failed:** a, b, c and 1 more\n");
		expect(of([])).not.toContain("failed");
	});

	it("attach a long answer whole", () => {
		const text = "word ".repeat(5_000);
		const { parts, file } = planAnswer(snapshot({ output: { text, truncated: false, totalBytes: text.length } }));
		expect(file?.data).toBe(text);
		expect(parts).toHaveLength(2);
		for (const part of parts) expect(part.length).toBeLessThanOrEqual(POST_LENGTH);
	});

	it.each([
		["failed", "Something went wrong"],
		["cancelled", "Stopped"],
		["interrupted", "may be unfinished"],
		["artifact_missing", "is missing"],
	])("say that a run is %s", (status, words) => {
		expect(planAnswer(snapshot({ status, output: undefined, code: "PROVIDER_ERROR", message: "It broke @everyone." })).parts[0]).toContain(
			words,
		);
	});

	it("say until when the accounts are limited by the reader's own clock", () => {
		const message = "All accounts for Anthropic are unavailable until 2026-01-01T00:05:00.000Z: anthropic:a is rate limited.";
		const of = (code: string) => planAnswer(snapshot({ status: "failed", output: undefined, code, message })).parts[0];
		expect(of("PROVIDER_LIMITED")).toContain("unavailable until <t:1767225900:f>\\: anthropic");
		expect(of("PROVIDER_ERROR")).not.toContain("<t:");
	});

	it("say that an answer is not backed", () => {
		const grounding = { state: "unverified", problems: [] };
		expect(planAnswer(snapshot({ grounding })).parts[0]).toContain("> **Not verified:**");
	});

	it("name the sentences that nothing backs, without their effect, and no more than a few", () => {
		const sentences = ["I sent it to @everyone.", "I deleted it.", "I paid it.", "I told them."];
		const text = `Hello. ${sentences.join(" ")}`;
		const problems = sentences.map((sentence) => {
			const start = text.indexOf(sentence);
			return { code: "CLAIM_WITHOUT_ACTION", start, end: start + sentence.length };
		});
		const of = (count: number) => {
			const grounding = { state: "unverified", problems: problems.slice(0, count) };
			return planAnswer(snapshot({ output: { text, truncated: false, totalBytes: text.length }, grounding })).parts[0].split("\n");
		};
		const why = "no file or call in this run confirms this.";
		expect(of(1).slice(1, 3)).toEqual(["> **Not verified:**", `> “I sent it to \\@everyone\\.”: ${why}`]);
		expect(of(4).slice(4, 6)).toEqual([`> “I paid it\\.”: ${why}`, "> and 1 more, shown in XWorkmate"]);
	});

	it("say once what was done when the bridge wrote the answer", () => {
		const text = "Couldn't verify it. This is what the receipts show: 0 actions completed.";
		const output = { text, truncated: false, totalBytes: text.length };
		const posted = planAnswer(snapshot({ output, grounding: { state: "replaced", problems: [] } })).parts.join("\n");
		expect(posted.match(/0 actions completed/g)).toHaveLength(1);
		expect(posted).toContain("XWorkmate wrote this answer, because the model's own");
		const none = { state: "replaced", problems: [{ code: "NO_ANSWER", start: 0, end: 0 }] };
		expect(planAnswer(snapshot({ output, grounding: none })).parts.join("\n")).toContain("because the model gave none.");
	});
});

describe("the post of a run that has not ended", () => {
	it("names no earlier message while the run is queued, because it may wait for runs of other channels", () => {
		expect(planProgress(snapshot({ status: "queued", success: false, output: undefined, startedAt: undefined, endedAt: undefined }))).toBe(
			"*This message is queued and starts automatically. /stop cancels everything in this channel.*",
		);
	});
});
