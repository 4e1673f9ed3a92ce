import { Approval } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { planApproval, planOutcome, readCustomId } from "../../src/operator/discord/text/approval-plan.ts";
import { POST_LENGTH } from "../../src/operator/discord/text/split-text.ts";

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
		expect(content).toContain("-# Expires <t:1767226500:f> and is then denied automatically.");
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

	it("has what the agent says about the call, and which of its answers the button gives", () => {
		const more = { toolId: undefined, risk: undefined, words: undefined, input: { text: '{"a":1}', truncated: false } };
		const record = approval({ ...more, says: { text: "It also deletes", truncated: false }, allowNames: ["Run and push", "Run only"] });
		const { content } = planApproval({ record }, true);
		expect(content).toContain("What the agent says about it:\n```text\nIt also deletes\n```");
		expect(content).toContain(
			"“Allow once” sends the agent the answer “Run and push”. The agent also offers “Run only”, which you can't choose here.",
		);
		const long = planApproval({ record: { ...record, says: { text: "```", truncated: false } } }, true);
		expect(long.content).toContain("The whole input and what the agent says about it are attached");
		expect(long.file?.data).toBe('Input:\n{"a":1}\n\nWhat the agent says about it:\n```\n');
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
		expect(content).toContain("The part of the input that the agent showed is attached");
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
			expect(lines[2] === `-# goose describes this as: ${title}`).toBe(expected !== undefined);
			expect(planOutcome({ ...record, state: "expired" })).toMatch(new RegExp(`: ${RegExp.escape(expected ?? title)}$`));
		},
	);

	const own = (more: object = {}) =>
		approval({
			...{ toolId: undefined, risk: undefined, words: undefined, asker: { target: "agent", providerId: "claude" } },
			...{ title: "Tool call", unstated: ["title", "kind"], input: { text: '{"path":"/w/a.txt"}', truncated: false } },
			...more,
		});

	it("shows a change that the agent reports and that the input doesn't show, and the files that it names elsewhere", () => {
		const proposed = { text: "/w/b.txt:\n- old @everyone\n+ new", truncated: false };
		const { content, file } = planApproval({ record: own({ proposed, alsoNamed: ["/w/b.txt", "/w/c.txt"] }) }, true);
		expect(content).toContain("\nAlso mentions: /w/b\\.txt, /w/c\\.txt\n");
		expect(content).toContain('```json\n{"path":"/w/a.txt"}\n```\n-# Whole input, hash b60d 17f3 3c92.\n');
		expect(content).toContain("\nThe change, as the agent reports it:\n```text\n/w/b.txt:\n- old @everyone\n+ new\n```\n");
		expect(file).toBeUndefined();
		const cut = planApproval({ record: own({ proposed: { ...proposed, truncated: true } }) }, true).content;
		expect(cut).toContain("\nThe change, as the agent reports it (not all of it is stored):\n");
	});

	it.each([
		["doesn't fit", `/w/b.txt:\n${"x".repeat(5_000)}`, false, "the reported change"],
		["could end its block", "/w/b.txt:\n```", true, "part of the reported change"],
	])("attaches a reported change that %s, with the input", (_, text, truncated, named) => {
		const { content, file } = planApproval({ record: own({ proposed: { text, truncated } }) }, true);
		expect(content).toContain(`\n-# The whole input and ${named} are attached, hash b60d 17f3 3c92.\n`);
		expect(content.length).toBeLessThanOrEqual(POST_LENGTH);
		const name = "request-b60d17f33c92.txt";
		expect(file).toEqual({
			name,
			data: `Input:\n{"path":"/w/a.txt"}\n\nThe change, as the agent reports it${truncated ? " (not all of it is stored)" : ""}:\n${text}\n`,
		});
	});

	it("doesn't say that the agent gave a title that is XWorkmate's own", () => {
		const { content } = planApproval({ record: own() }, true);
		expect(content.split("\n").slice(0, 2)).toEqual(["**claude asks for your approval**", "/w/a\\.txt"]);
		expect(content).not.toContain("describes this as");
		expect(planApproval({ record: own({ unstated: ["kind"] }) }, true).content).toContain("-# claude describes this as: Tool call\n");
	});

	it("shows a plan that would be made whole, and still fits in a post", () => {
		const words = "*".repeat(700);
		const { content } = planApproval({ record: approval({ toolId: "xworkmate.plan.create" as never, words }), input: "{}" }, true);
		expect(content).toContain("**assistant wants to create a plan**");
		expect(content).toContain("\\*".repeat(700));
		expect(content.length).toBeLessThanOrEqual(POST_LENGTH);
	});

	it("names the secrets that the tool gets, each whole, and says how many more there are", () => {
		const named = (secrets: readonly string[]) => {
			const { content } = planApproval({ record: approval({ secrets }), input: "{}" }, true);
			return /^The tool gets these secrets: (.*)$/m.exec(content)?.[1];
		};
		expect(named(["TOKEN", "A-KEY"])).toBe("TOKEN, A\\-KEY");
		const fifty = Array.from({ length: 50 }, (_, nth) => `SECRET ${nth + 10}`);
		expect(named(fifty)).toBe(`${fifty.slice(0, 18).join(", ")} and 32 more, shown in XWorkmate`);
		expect(named(["-".repeat(200), "KEY"])).toBe(`${"\\-".repeat(99)}… and 1 more, shown in XWorkmate`);
	});

	it("offers to allow for a time in hours and minutes", () => {
		const labels = [900, 3_600, 5_400].map(
			(windowSeconds) => planApproval({ record: approval({ windowSeconds }) }, true).buttons[1]?.label,
		);
		expect(labels).toEqual(["Allow for 15 min", "Allow for 1 h", "Allow for 1 h 30 min"]);
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
		const agents = approval({
			...{ title: long, toolId: undefined, risk: undefined, words: undefined, directory: long.slice(0, 4_000), toolKind: "edit" },
			...{ alsoNamed: Array(50).fill(long.slice(0, 4_000)), proposed: { text: long, truncated: true } },
			input: { text: JSON.stringify({ path: `/${long.slice(0, 4_000)}` }), truncated: false },
		});
		expect(planApproval({ record: agents }, false).content.length).toBeLessThanOrEqual(POST_LENGTH);
	});

	it("offers nothing where nobody may approve", () => {
		expect(planApproval({ record: approval() }, false).buttons).toEqual([]);
	});

	it.each([
		[{ state: "decided", decision: "allow_once", decidedBy: "discord:mira (200)" }, "Allowed once by mira \\(200\\)"],
		[{ state: "decided", decision: "deny", decidedBy: "person" }, "Denied in XWorkmate"],
		[{ state: "decided", decision: "allow_once", decidedBy: "window:apr-0" }, "by a temporary permission"],
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
