import { describe, expect, it } from "vitest";
import { takeAnthropicEvents } from "../../../../src/providers/assistant/models/anthropic/anthropic-events.ts";
import type { TakeEvent } from "../../../../src/providers/assistant/models/exchange/model-events.ts";
import { MOST_CALLS, ReplyDraft } from "../../../../src/providers/assistant/models/exchange/reply-draft.ts";
import { takeChatChunks } from "../../../../src/providers/assistant/models/openai/chat-events.ts";
import { takeResponseEvents } from "../../../../src/providers/assistant/models/openai/responses-events.ts";

function replyOf(taking: (draft: ReplyDraft) => TakeEvent, events: readonly unknown[]) {
	const draft = new ReplyDraft();
	const take = taking(draft);
	const texts = events.map(take).join("");
	return { ...draft.reply(), texts, isWhole: draft.isWhole };
}

const chunk = (delta: object, more: object = {}) => ({ choices: [{ delta, ...more }] });
const piece = (call: object) => chunk({ tool_calls: [call] });

describe("chunks of a chat", () => {
	const chat = (...events: unknown[]) => replyOf(takeChatChunks, events);

	it("need no usage, id, index or reason for the end", () => {
		const { parts, stop, usage, isWhole } = chat(
			piece({ function: { name: "execute", arguments: '{"program"' } }),
			piece({ function: { arguments: ':"1"}' } }),
		);
		expect(parts).toEqual([{ kind: "call", callId: expect.stringMatching(/^call_[\w-]{8,}$/), tool: "execute", input: { program: "1" } }]);
		expect({ stop, usage, isWhole }).toEqual({ stop: "calls", usage: {}, isWhole: false });
	});

	it("tell calls apart by index, or by id where each has the index 0 or none", () => {
		const call = (index: number | undefined, id: string) => piece({ index, id, function: { name: id, arguments: "{}" } });
		const names = (...events: unknown[]) => chat(...events).parts.map((part) => (part.kind === "call" ? part.tool : ""));
		expect(names(call(0, "a"), call(1, "b"), piece({ index: 0, function: { arguments: "" } }))).toEqual(["a", "b"]);
		expect(names(call(0, "a"), call(0, "b"))).toEqual(["a", "b"]);
		expect(names(call(undefined, "a"), call(undefined, "b"))).toEqual(["a", "b"]);
		expect(names(call(0, "a"), call(0, "a"))).toEqual(["a"]);
	});

	it("interleave the pieces of two calls", () => {
		const { parts } = chat(
			chunk({
				tool_calls: [
					{ index: 0, id: "a", function: { name: "x", arguments: '{"n":' } },
					{ index: 1, id: "b", function: { name: "y", arguments: '{"n":' } },
				],
			}),
			piece({ index: 0, function: { arguments: "1}" } }),
			piece({ index: 1, function: { arguments: "2}" } }),
		);
		expect(parts).toMatchObject([{ input: { n: 1 } }, { input: { n: 2 } }]);
	});

	it("may give the input as an object, and a text as a list of parts", () => {
		const { parts } = chat(
			chunk({ content: [{ type: "text", text: "so" }] }),
			piece({ id: "a", function: { name: "x", arguments: { n: 1 } } }),
		);
		expect(parts).toEqual([
			{ kind: "text", text: "so" },
			{ kind: "call", callId: "a", tool: "x", input: { n: 1 } },
		]);
	});

	it("give one id to two calls, and a call gets its own", () => {
		const { parts } = chat(
			piece({ index: 0, id: "same", function: { name: "x" } }),
			piece({ index: 1, id: "same", function: { name: "y" } }),
		);
		const ids = parts.map((part) => (part.kind === "call" ? part.callId : ""));
		expect(ids[0]).toBe("same");
		expect(new Set(ids).size).toBe(2);
	});

	it("end for a reason", () => {
		const stopOf = (finish_reason: string, delta: object = { content: "x" }) => chat(chunk(delta, { finish_reason })).stop;
		expect(["stop", "eos", "tool_calls", "length", "content_filter"].map((reason) => stopOf(reason))).toEqual([
			"ended",
			"ended",
			"ended",
			"length",
			"refused",
		]);
		expect(stopOf("stop", { tool_calls: [{ function: { name: "x" } }] })).toBe("calls");
		expect(stopOf("length", { tool_calls: [{ function: { name: "x", arguments: '{"a' } }] })).toBe("length");
		expect(chat(chunk({ refusal: "I won't." }), chunk({}, { finish_reason: "stop" }))).toMatchObject({
			stop: "refused",
			texts: "I won't.",
		});
	});

	it("may be anything", () => {
		for (const event of [
			null,
			7,
			[],
			"x",
			{ choices: 5 },
			{ choices: [null] },
			chunk({ tool_calls: [null, 5, {}] }),
			{ usage: { prompt_tokens: -1 } },
		]) {
			expect(chat(event).usage).toEqual({});
		}
	});

	it("are refused when they ask for too many calls", () => {
		const many = Array.from({ length: MOST_CALLS + 1 }, (_, index) => piece({ index, id: `c${index}`, function: { name: "x" } }));
		expect(() => chat(...many)).toThrow("more than 64 calls");
	});
});

describe("events of a response", () => {
	const response = (...events: unknown[]) => replyOf(takeResponseEvents, events);
	const output = [
		{ type: "reasoning", summary: [] },
		{ type: "message", content: [{ type: "output_text", text: "so" }] },
		{ type: "function_call", call_id: "c1", name: "execute", arguments: '{"n":1}' },
	];
	const whole = {
		parts: [
			{ kind: "text", text: "so" },
			{ kind: "call", callId: "c1", tool: "execute", input: { n: 1 } },
		],
		stop: "calls",
		isWhole: true,
	};

	it("may all be in the last, or in the only one", () => {
		expect(response({ type: "response.completed", response: { status: "completed", output } })).toMatchObject(whole);
		expect(response({ object: "response", status: "completed", output })).toMatchObject(whole);
	});

	it("tell each item once, with pieces or without", () => {
		const done = output.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
		const pieces = [
			{ type: "response.output_text.delta", output_index: 1, delta: "s" },
			{ type: "response.output_text.delta", output_index: 1, delta: "o" },
			{ type: "response.output_item.added", output_index: 2, item: { ...output[2], arguments: "" } },
			{ type: "response.function_call_arguments.delta", output_index: 2, delta: '{"n"' },
			{ type: "response.function_call_arguments.delta", output_index: 2, delta: ":1}" },
		];
		const end = { type: "response.completed", response: { status: "completed", output } };
		expect(response(...done, end)).toMatchObject(whole);
		expect(response(...pieces, end)).toMatchObject(whole);
		expect(response(...pieces, ...done, end)).toMatchObject(whole);
	});

	it("say that it was cut short, declined or failed", () => {
		const ending = (status: string, reason: string) =>
			response({ type: "response.incomplete", response: { status, incomplete_details: { reason }, output } }).stop;
		expect(ending("incomplete", "max_output_tokens")).toBe("length");
		expect(ending("incomplete", "content_filter")).toBe("refused");
		expect(() => response({ type: "response.failed", response: { status: "failed", error: { message: "no memory" } } })).toThrow(
			"no memory",
		);
	});
});

describe("events of a message", () => {
	const message = (...events: unknown[]) => replyOf(takeAnthropicEvents, events);

	it("leave thoughts out, and count what came from the cache", () => {
		const usage = { input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300 };
		const { parts, usage: counted } = message(
			{ type: "message_start", message: { usage } },
			{ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
			{ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
			{ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_1", name: "x", input: { n: 1 } } },
			{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
			{ type: "message_stop" },
		);
		expect(parts).toEqual([{ kind: "call", callId: "toolu_1", tool: "x", input: { n: 1 } }]);
		expect(counted).toEqual({ inputTokens: 321, outputTokens: 5 });
	});

	it("are not whole before the last", () => {
		const delta = { type: "message_delta", delta: { stop_reason: "end_turn" } };
		expect(message(delta).isWhole).toBe(false);
		expect(message(delta, { type: "message_stop" }).isWhole).toBe(true);
	});

	it("end for a reason", () => {
		const stopOf = (stop_reason: string) => message({ type: "message_delta", delta: { stop_reason } }, { type: "message_stop" }).stop;
		expect(["end_turn", "max_tokens", "refusal", "stop_sequence", "new"].map(stopOf)).toEqual([
			"ended",
			"length",
			"refused",
			"ended",
			"ended",
		]);
	});
});
