import { cleanup, render } from "@testing-library/react";
import { ApprovalId, ProviderId, ToolCallId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChange } from "../../src/ui/connection/app-state.ts";
import { diffLines } from "../../src/ui/rich-text/diff-lines.ts";
import MarkdownText from "../../src/ui/rich-text/markdown.tsx";
import { splitBlocks } from "../../src/ui/rich-text/markdown-blocks.ts";
import { parseRoute } from "../../src/ui/state/route.ts";
import { parseCsv } from "../../src/ui/text/csv.ts";
import { formatBytes, formatClock, formatSpan } from "../../src/ui/text/format.ts";
import { visibleText } from "../../src/ui/text/visible-text.ts";
import { type OpenCalls, toolLine } from "../../src/ui/turn/tool-line.ts";
import { allMessages, emptyTurn, foldEvents, isAsking, lastMessage, withAnswers, withTurn } from "../../src/ui/turn/turn-view.ts";
import { approval, at, ended, foldUpdates, snapshot, stage, update } from "./stories.ts";

describe("a turn's view", () => {
	it("[D4] is not made live by updates that are caught up with, once its run is not heard of, only by word of how that is", () => {
		const lost = foldEvents(foldUpdates(emptyTurn, [stage(1, "working")]), [{ type: "connection_lost", code: "X", bridgeEnded: true }]);
		const replayed = foldEvents(lost, [{ type: "update", update: stage(2, "working") }]);
		expect(replayed.lost).toEqual({ code: "X", bridgeEnded: true });
		expect(foldEvents(replayed, [{ type: "connection_restored" }]).lost).toBeUndefined();
	});

	it("joins pieces of a message, and lets a tool call keep what it said before", () => {
		const view = foldUpdates(emptyTurn, [
			update(1, { kind: "message_delta", messageId: "m", text: "a" }),
			update(2, {
				kind: "tool_call",
				toolCallId: "c",
				title: "look",
				toolKind: "read",
				state: "running",
				input: { text: "x", truncated: false },
			}),
			update(3, { kind: "message_delta", messageId: "m", text: "b" }),
			update(4, { kind: "tool_call", toolCallId: "c", title: "look", toolKind: "read", state: "completed" }),
		]);
		expect(view.items).toMatchObject([
			{ kind: "message", text: "ab" },
			{ kind: "tool", call: { state: "completed", input: { text: "x" } } },
		]);
	});

	it("keeps a request and its answer where they came in a message, and the words of that message together", () => {
		const say = (seq: number, text: string) => update(seq, { kind: "message_delta", messageId: "m", text });
		const asked = { kind: "approval", ...approval({ state: "decided", decision: "allow_once", decidedBy: "window:a" }) };
		const view = foldUpdates(emptyTurn, [say(1, "tick 1 "), update(2, asked), say(3, "tick 2 ")]);
		const later = foldUpdates(view, [say(4, "tick 3 "), update(5, asked), say(6, "tick 4")]);
		expect(later.items.map((item) => (item.kind === "message" ? item.text : item.kind))).toEqual([
			"tick 1 ",
			"approval",
			"tick 2 tick 3 tick 4",
		]);
		expect(lastMessage(later.items)?.text).toBe("tick 1 tick 2 tick 3 tick 4");
	});

	it("has all that was said for copying, not only what followed the last call", () => {
		const say = (seq: number, messageId: string, text: string) => update(seq, { kind: "message_delta", messageId, text });
		const call = update(3, { kind: "tool_call", toolCallId: "c", title: "ls", toolKind: "execute", state: "completed" });
		const view = foldUpdates(emptyTurn, [
			say(1, "m0", "FIRST "),
			say(2, "m0", "PART"),
			call,
			say(4, "m1", " "),
			say(5, "m2", "SECOND PART"),
		]);
		expect(allMessages(view.items)).toBe("FIRST PART\n\nSECOND PART");
		expect(allMessages([])).toBeUndefined();
	});

	it("is the same however its updates come in batches, and whichever come twice", () => {
		const updates = Array.from({ length: 40 }, (_, index) =>
			index % 3 === 0
				? stage(index + 1, "working")
				: index % 10 === 8
					? update(index + 1, { kind: "approval", ...approval({ approvalId: ApprovalId.parse(`ask${index % 4}`) }) })
					: update(index + 1, { kind: "message_delta", messageId: `m${index % 4}`, text: `${index},` }),
		);
		const whole = foldUpdates(emptyTurn, updates);
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }), (cuts) => {
				const ends = [...new Set([...cuts, 40])].sort((one, other) => one - other);
				let view = emptyTurn;
				// Each batch begins again from the first: what was seen before counts once.
				for (const end of ends) view = foldUpdates(view, updates.slice(0, end));
				expect(view).toEqual(whole);
			}),
		);
	});

	it("waits for the person while a request of it is open", () => {
		const { ...record } = approval();
		const view = foldUpdates(emptyTurn, [update(1, { kind: "approval", ...record })]);
		expect(isAsking(view)).toBe(true);
		expect(isAsking(foldUpdates(view, [update(2, { kind: "approval", ...record, state: "decided", decision: "deny" })]))).toBe(false);
	});

	it("waits for nobody once the app has told of the answer, before the run says that it goes on", () => {
		const { ...record } = approval();
		const view = foldUpdates(emptyTurn, [update(1, { kind: "approval", ...record }), stage(2, "waiting_approval")]);
		const denied = { ...record, state: "decided", decision: "deny" } as const;
		expect(isAsking(withAnswers(view, new Map([[record.approvalId, denied]])))).toBe(false);
		expect(withAnswers(view, new Map())).toBe(view);
		expect(isAsking(view)).toBe(true);
	});
});

describe("what the app knows of a turn before its run says it", () => {
	const queued = foldUpdates(emptyTurn, [stage(1, "queued")]);
	const collecting = foldUpdates(emptyTurn, [stage(1, "working"), stage(2, "collecting")]);
	const turn = (status: "queued" | "running" | "completed") => ({ turn: { ...ended({}, undefined).turn, status } });

	it("is that it is out of the queue", () => {
		expect(withTurn(queued, turn("queued"))).toBe(queued);
		expect(withTurn(queued, turn("running")).progress).toEqual({ stage: "starting" });
		expect(withTurn(collecting, turn("running"))).toBe(collecting);
	});

	it("is that its files are being saved", () => {
		const artifacts = { ...snapshot({}).artifacts, count: 3, totalBytes: 9 };
		expect(withTurn(collecting, { ...turn("completed"), snapshot: snapshot({ artifacts }) }).syncing).toEqual({ files: 3, totalBytes: 9 });
		expect(withTurn(collecting, turn("completed"))).toBe(collecting);
	});
});

describe("a call that was asked for", () => {
	const asked = update(1, { kind: "tool_call", toolCallId: "c", title: "make test", toolKind: "execute", state: "pending" });
	const answered = (decision: "allow_once" | "deny") =>
		update(2, { kind: "approval", ...approval({ state: "decided", decision }), toolCallId: ToolCallId.parse("c") });
	const lineOf = (open: OpenCalls, ...updates: Parameters<typeof foldUpdates>[1]) => {
		const [item] = foldUpdates(emptyTurn, updates).items;
		const line = item?.kind === "tool" ? toolLine(item.call, open) : undefined;
		return [line?.word, line?.state?.word];
	};
	const stateOf = (...updates: Parameters<typeof foldUpdates>[1]) => lineOf("live", ...updates)[1];
	const unanswered = (state: "expired" | "withdrawn", target?: "agent" | "gateway") => {
		const asker = target && { asker: { target, providerId: ProviderId.parse("a") } };
		return update(2, { kind: "approval", ...approval({ state, ...asker }), toolCallId: ToolCallId.parse("c") });
	};

	it("does not wait any more once it is allowed, though its agent says nothing", () => {
		expect(stateOf(asked)).toBe("not reported as started, no approval requested");
		expect(stateOf(asked, update(2, { kind: "approval", ...approval({}), toolCallId: ToolCallId.parse("c") }))).toBe("waiting");
		expect(stateOf(asked, answered("allow_once"))).toBe("allowed");
		expect(lineOf("live", asked, answered("allow_once"))).toEqual(["Wants to run", "allowed"]);
		expect(stateOf(asked, answered("deny"))).toBe("waiting");
		expect(stateOf(asked, answered("allow_once"), { ...asked, seq: 3 })).toBe("allowed");
	});

	it.each(["expired", "withdrawn"] as const)("not allowed: its request was %s, as long as its agent says nothing else", (state) => {
		for (const open of ["stopped", "unknown"] as const)
			expect(lineOf(open, asked, unanswered(state, "agent"))).toEqual(["Not allowed:", "no answer"]);
		expect(lineOf("unknown", asked, unanswered(state, "agent"), { ...answered("allow_once"), seq: 3 })).toEqual(["Unknown:", "no result"]);
		expect(lineOf("unknown", asked, answered("allow_once"), { ...unanswered(state, "agent"), seq: 3 })).toEqual(["Unknown:", "no result"]);
		const begun = update(3, { kind: "tool_call", toolCallId: "c", title: "make test", toolKind: "execute", state: "running" });
		expect(lineOf("unknown", asked, unanswered(state, "agent"), begun)).toEqual(["Unknown:", "no result"]);
		expect(lineOf("unknown", asked)).toEqual(["Unknown:", "no result"]);
	});

	it("may have run where a gateway, or one that is not known, was asked as well", () => {
		for (const target of ["gateway", undefined] as const)
			expect(lineOf("unknown", asked, unanswered("withdrawn", target))).toEqual(["Unknown:", "no result"]);
	});
});

describe("text from elsewhere", () => {
	it.each([
		["a\u202Eb", "a⟨U+202E⟩b"],
		["a\u0000b", "a⟨U+0000⟩b"],
		["a\u200Bb", "a⟨U+200B⟩b"],
		["a\u00A0b", "a⟨U+00A0⟩b"],
		["a\u{E0041}b", "a⟨U+E0041⟩b"],
		["a\uD800b", "a⟨U+D800⟩b"],
		["a\rb", "a⟨U+000D⟩b"],
	])("shows %j as %j", (text, shown) => {
		expect(visibleText(text, "keep").text).toBe(shown);
	});

	it("keeps lines where they may stand, and every letter of any script", () => {
		expect(visibleText("a\n\tb", "keep").text).toBe("a\n\tb");
		expect(visibleText("a\nb", "escape").text).toBe("a⟨U+000A⟩b");
		expect(visibleText("שלום Grüße 漢字 👩", "keep")).toEqual({ text: "שלום Grüße 漢字 👩", escaped: 0 });
		expect(visibleText("⚠️ 1️⃣ 👩‍💻 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "escape")).toEqual({ text: "⚠️ 1️⃣ 👩‍💻 🏴󠁧󠁢󠁳󠁣󠁴󠁿", escaped: 0 });
		expect(visibleText("a\uFE0F1\uFE0F👩\u200Da\u200D👩", "keep").text).toBe("a⟨U+FE0F⟩1⟨U+FE0F⟩👩⟨U+200D⟩a⟨U+200D⟩👩");
	});

	it("leaves nothing hidden, whatever comes", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				expect(visibleText(text, "escape").text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
			}),
		);
		// Compiling the pattern for emoji alone takes seconds on a busy machine.
	}, 60_000);

	it("cuts markdown into blocks that give the same text", () => {
		const text = "a\n\nb\n\n```\nc\n\nd\n```\n\n- e\n\n- f\n\ng";
		expect(splitBlocks(text)).toEqual(["a\n", "b\n", "```\nc\n\nd\n```\n", "- e\n\n- f\n", "g"]);
		expect(splitBlocks("a\n```js\nb\n```py\n\nc\n ```\nd")).toEqual(["a", "```js\nb\n```py\n\nc\n ```", "d"]);
		expect(splitBlocks("- a\n\n  ```\n  b\n  ```\n  c")).toHaveLength(1);
		const line = fc.constantFrom("a", "", "```", "~~~", " ```", "```x`", "- x", "    y", "| z |", "[a]: /b");
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				expect(splitBlocks(lines.join("\n")).join("\n")).toBe(lines.join("\n"));
			}),
		);
	});

	it("shows all of a message that begins with code and defines a link or a footnote", () => {
		for (const definition of ["[1]: https://example.org", "[^1]: A note."]) {
			const text = `\`\`\`\nfirst\n\`\`\`\nThen [this][1].\n\n\`\`\`\nsecond\n\`\`\`\n\n${definition}`;
			expect(splitBlocks(text)).toEqual(["```\nfirst\n```", text.slice("```\nfirst\n```\n".length)]);
			const shown = render(<MarkdownText text={text} />).container.textContent;
			for (const part of ["first", "Then", "second"]) expect(shown).toContain(part);
			cleanup();
		}
		expect(splitBlocks("```\n[a]: b\n```")).toHaveLength(1);
	});

	it("reads CSV with quotes, and other separators", () => {
		expect(parseCsv('a,"b ""c"", d"\r\n1,2\n', 10)).toEqual([
			["a", 'b "c", d'],
			["1", "2"],
		]);
		expect(parseCsv("a;b\n1;2", 1)).toEqual([["a", "b"]]);
	});

	it("shows a change that gives the new text when it is applied", () => {
		const line = fc.constantFrom("a", "b", "c", "d");
		fc.assert(
			fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
				const lines = diffLines(before.join("\n"), after.join("\n"));
				for (const { kind, text, before: left, after: right } of lines) {
					if (kind !== "added") expect(before[(left ?? 0) - 1]).toBe(text);
					if (kind !== "removed") expect(after[(right ?? 0) - 1]).toBe(text);
				}
				expect(lines.filter(({ kind }) => kind === "added").length - lines.filter(({ kind }) => kind === "removed").length).toBe(
					after.length - before.length,
				);
			}),
		);
	});

	it.each([
		["a\n", "a\nb\n", ["same a", "added b"]],
		["", "a\nb\n", ["added a", "added b"]],
		["a\n", "", ["removed a"]],
		["", "\n", ["added "]],
		["a", "a\n", ["same a", "added "]],
	])("shows no line after the line feed at a file's end, unless it is what changed: %j to %j", (before, after, lines) => {
		expect(diffLines(before, after).map(({ kind, text }) => `${kind} ${text}`)).toEqual(lines);
	});

	it("takes an address for what it can be, and nothing more", () => {
		expect(parseRoute("#/t/draft%3A1/x%2Fy")).toEqual({ page: "log", threadId: "draft:1", turnId: "x/y" });
		expect(parseRoute("#/t/%E0%A4%A")).toEqual({ page: "home" });
		expect(parseRoute("#/constructor")).toEqual({ page: "home" });
	});
});

describe("numbers", () => {
	it.each<[unknown, string]>([
		[formatBytes(0), "0 B"],
		[formatBytes(6100), "6.1 kB"],
		[formatBytes(84e6), "84 MB"],
		[formatClock(-5), "0:00"],
		[formatClock(3_723_000), "1:02:03"],
		[formatSpan(134_000), "2 min 14 s"],
	])("are %j", (shown, expected) => {
		expect(shown).toBe(expected);
	});
});

describe("the small state", () => {
	it("drops a request that is answered, and takes a change twice", () => {
		const state = {
			serverTime: at(0),
			threads: [],
			approvals: [],
			gatewayQueue: { limits: { maxActive: 1, maxQueued: 1 }, active: [], waiting: [] },
			bridge: { state: "connected", since: at(0), own: true, clockAheadMs: 0 },
		} as const;
		const asked = applyChange(applyChange(state, { type: "approval", approval: approval() }), { type: "approval", approval: approval() });
		expect(asked?.approvals).toHaveLength(1);
		const answered = applyChange(asked, { type: "approval", approval: approval({ state: "decided", decision: "deny" }) });
		expect(answered?.approvals).toEqual([]);
	});
});
