import { Activity, Approval, Snapshot } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planAnswer } from "../../src/operator/discord/text/answer-plan.ts";
import { planApproval, planOutcome, readCustomId } from "../../src/operator/discord/text/approval-plan.ts";
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
		["failed", "This didn't work"],
		["cancelled", "Stopped"],
		["interrupted", "It may not be finished"],
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
		expect(of(1).slice(1, 3)).toEqual(["> **Not verified:** no receipt backs this:", "> “I sent it to \\@everyone\\.”"]);
		expect(of(4).slice(4, 6)).toEqual(["> “I paid it\\.”", "> and 1 more. They are marked in XWorkmate."]);
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

const approval = (more: object = {}): Approval =>
	Approval.parse({
		approvalId: "apr-1",
		runId: "run-1",
		threadId: "discord-300",
		asker: { target: "agent", providerId: "assistant" },
		title: "calendar.events.delete",
		toolKind: "other",
		toolId: "calendar.events.delete",
		risk: "destructive",
		words: "Delete @everyone",
		inputHash: "b60d17f33c92".padEnd(64, "0"),
		options: ["allow_once", "allow_window", "deny"],
		windowSeconds: 900,
		requestedAt: "2026-01-01T00:00:00.000Z",
		expiresAt: "2026-01-01T00:15:00.000Z",
		state: "pending",
		...more,
	});

describe("the post of a request", () => {
	it("has the words, the risk, the tool, the whole input and its hash; its buttons have the id alone", () => {
		const { content, buttons, file } = planApproval({ record: approval(), input: '{"eventId":"51c2"}' }, true);
		expect(content).toContain("assistant wants to delete or overwrite something");
		expect(content).toContain("Destructive: calendar\\.events\\.delete\nDelete \\@everyone");
		expect(content).toContain('```json\n{"eventId":"51c2"}\n```');
		expect(content).toContain("Whole input, hash b60d 17f3 3c92.");
		expect(content).toContain("<t:1767226500:R>");
		expect(file).toBeUndefined();
		expect(buttons.map(({ customId }) => customId)).toEqual(["allow_once:apr-1", "allow_window:apr-1", "deny:apr-1"]);
		expect(buttons.map(({ label }) => label)).toEqual(["Allow once", "Allow for 15 min", "Deny"]);
	});

	it("attaches an input that does not fit, whole", () => {
		const input = JSON.stringify({ text: "x".repeat(60_000) });
		const { content, file } = planApproval({ record: approval(), input }, true);
		expect(file).toEqual({ name: "input-b60d17f33c92.json", data: input });
		expect(content).toContain("The whole input is attached, hash b60d 17f3 3c92.");
	});

	it("attaches an agent's own text, and says when it is not all of it", () => {
		const record = approval({
			toolId: undefined,
			risk: undefined,
			words: undefined,
			title: "rm -rf",
			input: { text: "```\nrm", truncated: true },
		});
		const { content, file } = planApproval({ record }, true);
		expect(content).toContain("asks for your approval");
		expect(content).toContain("What the agent showed of the input is attached");
		expect(file?.data).toBe("```\nrm");
	});

	it.each([
		["execute", { command: "rm -rf build" }, "rm \\-rf build"],
		["execute", { command: ["git", "push"] }, "git push"],
		["edit", { file_path: "notes.md", content: "x" }, "edit notes\\.md"],
		["other", { path: "notes.md" }, "notes\\.md"],
		// More files than one, or none that is known: only the agent's title says what it is.
		["edit", { path: "notes.md", edits: [{ path: "other.md" }] }, undefined],
		["edit", { path: "notes.md", file_path: "other.md" }, undefined],
		["fetch", { url: "https://example.com" }, undefined],
	])(
		"is headed by the command or the file of an agent's call, and its title is what the agent calls it: %s %j",
		(kind, input, expected) => {
			const untyped = { toolId: undefined, risk: undefined, words: undefined, asker: { target: "agent", providerId: "goose" } };
			const title = "List the files";
			const record = approval({ ...untyped, title, toolKind: kind, input: { text: JSON.stringify(input), truncated: false } });
			const lines = planApproval({ record }, true).content.split("\n");
			expect(lines[0]).toBe("**goose asks for your approval**");
			expect(lines[1]).toBe(expected ?? title);
			expect(lines[2] === `-# goose calls this: ${title}`).toBe(expected !== undefined);
			expect(planOutcome({ ...record, state: "expired" })).toMatch(new RegExp(`: ${RegExp.escape(expected ?? title)}$`));
		},
	);

	it("shows a plan that would be made whole, and still fits in a post", () => {
		const words = "*".repeat(700);
		const { content } = planApproval({ record: approval({ toolId: "xworkmate.plan.create" as never, words }), input: "{}" }, true);
		expect(content).toContain("**assistant wants to create a plan**");
		expect(content).toContain("\\*".repeat(700));
		expect(content.length).toBeLessThanOrEqual(POST_LENGTH);
	});

	it("fits in a post, however long its words are", () => {
		const long = "*".repeat(5_000);
		const record = approval({
			words: long.slice(0, 1_000),
			title: long,
			directory: long.slice(0, 4_000),
			secrets: Array(50).fill("S".repeat(200)),
			unaccepted: true,
		});
		for (const input of [undefined, "{}", JSON.stringify({ long })]) {
			expect(planApproval({ record, input }, false).content.length).toBeLessThanOrEqual(POST_LENGTH);
		}
		const own = approval({
			...{ title: long, toolId: undefined, risk: undefined, words: undefined, directory: long.slice(0, 4_000), toolKind: "edit" },
			input: { text: JSON.stringify({ path: `/${long.slice(0, 4_000)}` }), truncated: false },
		});
		expect(planApproval({ record: own }, false).content.length).toBeLessThanOrEqual(POST_LENGTH);
	});

	it("offers nothing where nobody may approve", () => {
		expect(planApproval({ record: approval() }, false).buttons).toEqual([]);
	});

	it.each([
		[{ state: "decided", decision: "allow_once", decidedBy: "discord:mira (200)" }, "Allowed once by mira \\(200\\)"],
		[{ state: "decided", decision: "deny", decidedBy: "person" }, "Denied in XWorkmate"],
		[{ state: "decided", decision: "allow_once", decidedBy: "window:apr-0" }, "by an earlier permission"],
		[{ state: "expired" }, "Expired: denied because no one answered in time"],
		[{ state: "withdrawn" }, "Withdrawn"],
	] as const)("says how it ended: %o", (more, words) => {
		expect(planOutcome(approval(more))).toContain(words);
	});

	it.each(["allow_once", "deny:", "deny:apr 1", "allow_always:apr-1", 'deny:apr-1 {"a":1}', "deny:apr-1\n"])(
		"takes %j for no button",
		(customId) => {
			expect(readCustomId(customId)).toBeUndefined();
		},
	);
});
