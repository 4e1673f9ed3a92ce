import { readFile } from "node:fs/promises";
import { ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodePermission } from "../../../src/providers/acp/protocol/decode-permission.ts";
import { decodeToolCall, toolParts } from "../../../src/providers/acp/protocol/decode-tool.ts";
import { AllowedInput } from "../../../src/providers/acp/turn/allowed-input.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

const folder = "/work/project";

/** A turn in which a call is reported, asked about, allowed and reported again. */
function turn() {
	const [translator, book, input] = [new UpdateTranslator(), new CallBook(), new AllowedInput()];
	const see = (wire: object) => {
		const change = decodeToolCall(wire);
		if (change === undefined) throw new Error("not a call");
		return { facts: book.see(change.toolCallId, toolParts(wire)), updates: translator.tool(change), toolCallId: change.toolCallId };
	};
	const allow = (wire: object) => {
		const { facts, toolCallId } = see(wire);
		translator.asks(toolCallId);
		const question = translator.question(toolCallId);
		translator.allowed(question);
		input.allowed(question, facts);
	};
	const report = async (wire: object) => {
		const { facts, updates } = see(wire);
		const [update] = await Promise.all(updates.map((one) => input.look(one, facts, folder)));
		return update?.kind === "tool_call" ? { unpermitted: update.unpermitted, ...update.swapped } : undefined;
	};
	return { see, allow, report };
}

const toolCallId = ToolCallId.parse("c1");

async function afterwards(kind: string, asked: object, reported: object, status = "completed") {
	const { allow, report } = turn();
	allow({ toolCallId, title: "call", kind, rawInput: asked });
	return await report({ toolCallId, status, rawInput: reported });
}

const allowed = { unpermitted: undefined };

describe("an allowed call that is reported with another input", () => {
	it.each([
		[
			"fetch",
			{ url: "https://good.example/" },
			{ url: "https://evil.example/" },
			"url: https://good.example/",
			"url: https://evil.example/",
		],
		["other", { to: "bob", text: "hi" }, { to: "eve", text: "all" }, "to: bob, text: hi", "to: eve, text: all"],
		["edit", { path: "a", content: "safe" }, { path: "a", content: "EVIL" }, "content: safe", "content: EVIL"],
		["read", { path: "me.txt" }, { path: "/etc/shadow" }, "path: me.txt", "path: /etc/shadow"],
		["other", { list: [{ a: 1, b: 2 }] }, { list: [{ a: 1, b: 3 }] }, 'list: [{"a":1,"b":2}]', 'list: [{"a":1,"b":3}]'],
		["execute", { command: "ls" }, { command: "ls", cwd: "/etc" }, "ls", "ls in /etc"],
		["execute", { command: "ls", cwd: "src" }, { command: "ls", cwd: folder }, "cwd: src", `cwd: ${folder}`],
		["other", "one", "two", "one", "two"],
	])("is not what was allowed, and both are named: %s %j", async (kind, asked, reported, before, now) => {
		const another = { unpermitted: "another", allowed: before, reported: now };
		expect(await afterwards(kind, asked as object, reported as object)).toEqual(another);
		expect(await afterwards(kind, asked as object, reported as object, "failed")).toEqual(another);
	});

	it("is marked without words if the values are too long to be named", async () => {
		const content = "x".repeat(500);
		expect(await afterwards("edit", { path: "a", content }, { path: "a", content: `${content}!` })).toEqual({ unpermitted: "another" });
	});
});

it.each([
	["says the same in another order", "other", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
	["says more", "other", { to: "bob" }, { to: "bob", cc: "ann" }],
	[
		"has another description and time limit",
		"execute",
		{ command: "ls", timeout: 1, description: "x" },
		{ command: "ls", timeout: 2, description: "y" },
	],
	["names its folder, which is the run's", "execute", { command: "ls" }, { command: "ls", cwd: `${folder}/.` }],
	["spells a path differently", "read", { path: "a.txt" }, { path: `${folder}/a.txt` }],
	["reads in the folder that was allowed", "search", { path: "src" }, { path: "src/a" }],
	["has no input", "other", { to: "bob" }, {}],
])("one that %s is what was allowed", async (_, kind, asked, reported) => {
	expect(await afterwards(kind, asked, reported)).toEqual(allowed);
});

const Message = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) });
const Recorded = z.array(z.object({ agent: z.string(), messages: z.array(Message) }));

it("[D7] what real agents report before they ask is what was allowed when they report it again", async () => {
	const recorded = Recorded.parse(JSON.parse(await readFile(new URL("./fixtures/asked-by-agents.json", import.meta.url), "utf8")));
	for (const { agent, messages } of recorded) {
		const { see, allow, report } = turn();
		const calls: object[] = [];
		for (const { method, params } of JSON.parse(JSON.stringify(messages).replaceAll("$CWD", folder)) as typeof messages) {
			const question = method === "session/update" ? undefined : decodePermission(params);
			const wire = z.looseObject({}).parse(question === undefined ? params.update : params.toolCall);
			calls.push(wire);
			if (question === undefined) see(wire);
			else allow(wire);
		}
		for (const wire of calls.filter((one) => JSON.stringify(one) !== "{}").slice(-2)) {
			const said = await report({ ...wire, status: "completed" });
			expect(said?.unpermitted, `${agent}: ${JSON.stringify(wire)}`).toBeUndefined();
		}
	}
});

it("an agent that asks for one address and fetches another is caught in its turn", async () => {
	await using bench = await AcpBench.open();
	const call = (more: object) => JSON.stringify({ toolCallId: "ask-notes", kind: "fetch", title: "notes", ...more });
	const [asks, does] = [
		call({ sessionUpdate: "tool_call", status: "pending", rawInput: { url: "https://good.example/" } }),
		call({ sessionUpdate: "tool_call_update", status: "completed", rawInput: { url: "https://evil.example/" } }),
	];
	const { sink } = await bench.run(`UNRULY:UPDATE ${asks} ;; ASK_BARE ask-notes notes ;; UPDATE ${does}`);
	expect(sink.of("tool_call").at(-1)).toMatchObject({ unpermitted: "another", swapped: { reported: "url: https://evil.example/" } });
});

it.each(["", " ;; DIE 4"])(
	"an agent that fetches something else and never ends the call is caught at the end of its turn%s",
	async (end) => {
		await using bench = await AcpBench.open();
		const call = (more: object) => JSON.stringify({ toolCallId: "ask-notes", kind: "fetch", title: "notes", ...more });
		const [asks, does] = [
			call({ sessionUpdate: "tool_call", status: "pending", rawInput: { url: "https://good.example/" } }),
			call({ sessionUpdate: "tool_call_update", status: "in_progress", rawInput: { url: "https://evil.example/" } }),
		];
		const { sink, outcome } = await bench.begin(`UNRULY:UPDATE ${asks} ;; ASK_BARE ask-notes notes ;; UPDATE ${does}${end}`);
		await outcome.catch(() => undefined);
		const reported = { state: "running", unpermitted: "another", swapped: { reported: "url: https://evil.example/" } };
		expect(sink.of("tool_call").at(-1)).toMatchObject(reported);
	},
);
