import { limits, Update } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readInitializeResponse } from "../../../src/providers/acp/process/handshake.ts";
import { readModelChoice } from "../../../src/providers/acp/process/model-choice.ts";
import { addFacts, exactCommand, nothingSaid } from "../../../src/providers/acp/protocol/call-facts.ts";
import { mayExecute } from "../../../src/providers/acp/protocol/command-line.ts";
import { decodePermission } from "../../../src/providers/acp/protocol/decode-permission.ts";
import { decodeUpdate, type ReceivedUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { readPromptResponse } from "../../../src/providers/acp/turn/prompt-outcome.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

const kinds = [
	"agent_message_chunk",
	"agent_thought_chunk",
	"tool_call",
	"tool_call_update",
	"plan",
	"usage_update",
	"notice",
	"user_message_chunk",
	"x",
];

/** Values shaped like updates, with anything where a field should be. */
const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
const text = fc.oneof(fc.string({ unit: "binary" }), anything);
const content = fc.oneof(
	fc.record({ type: fc.constantFrom("text", "image", "resource", "diff", "content"), text, content: anything, path: text, newText: text }),
	anything,
);
const hostileUpdate = fc.record(
	{
		sessionUpdate: fc.constantFrom(...kinds),
		content: fc.oneof(content, fc.array(content)),
		messageId: text,
		toolCallId: fc.oneof(fc.constantFrom("a", "b"), fc.string({ maxLength: 400 }), fc.integer(), anything),
		title: text,
		kind: fc.oneof(fc.constantFrom("edit", "execute", "other"), anything),
		status: fc.oneof(fc.constantFrom("pending", "in_progress", "completed", "failed"), anything),
		locations: fc.oneof(fc.array(fc.record({ path: text, line: anything })), anything),
		rawInput: anything,
		rawOutput: anything,
		entries: fc.oneof(fc.array(fc.record({ content: text, status: anything, priority: anything })), anything),
		used: anything,
		size: anything,
		cost: anything,
		severity: anything,
	},
	{ requiredKeys: ["sessionUpdate"] },
);

/** What the protocol's schemas say about a piece of a message or a thought: the check by hand accepts exactly that, as the same value. */
const Envelope = z.object({ sessionId: z.string(), update: z.looseObject({ sessionUpdate: z.string() }) });
const Piece = z.object({ content: z.unknown(), messageId: z.string().optional().catch(undefined) });
const TextBlock = z.object({ type: z.literal("text"), text: z.string() });

function bySchema(params: unknown): ReceivedUpdate {
	const envelope = Envelope.safeParse(params);
	if (!envelope.success) return { conversationId: "", update: { kind: "ignored", name: "malformed", isUnreadable: true } };
	const { sessionId, update } = envelope.data;
	const parsed = Piece.safeParse(update);
	if (!parsed.success) return { conversationId: sessionId, update: { kind: "ignored", name: update.sessionUpdate, isUnreadable: true } };
	const { content, messageId } = parsed.data;
	const kind = update.sessionUpdate === "agent_message_chunk" ? "message" : "thought";
	const text = TextBlock.safeParse(content).data?.text ?? "";
	return { conversationId: sessionId, update: { kind, text, ...(messageId === undefined ? {} : { agentMessageId: messageId }) } };
}

/** Fields of a block of text, any of which may be missing or anything else. */
const piece = fc.record(
	{
		sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk"),
		content: fc.oneof(fc.record({ type: fc.oneof(fc.constant("text"), anything), text }, { requiredKeys: [] }), anything),
		messageId: text,
		other: anything,
	},
	{ requiredKeys: ["sessionUpdate"] },
);

describe("a piece of a message or a thought", () => {
	it("is accepted exactly if the schema accepts it, as the same value", () => {
		const params = fc.oneof(
			{ weight: 4, arbitrary: fc.record({ sessionId: text, update: fc.oneof({ weight: 4, arbitrary: piece }, anything) }) },
			anything,
		);
		const isOther = (value: unknown) => typeof value === "object" && value !== null && "type" in value && value.type !== "text";
		fc.assert(
			fc.property(params, (value) => {
				const { data } = Envelope.safeParse(value);
				// Other kinds of updates and of blocks have checks of their own.
				fc.pre(data === undefined || (data.update.sessionUpdate.endsWith("_chunk") && !isOther(data.update.content)));
				expect(decodeUpdate(value)).toEqual(bySchema(value));
				// As it arrives: JSON may name a field __proto__, and lacks what it cannot write.
				const sent: unknown = JSON.parse(JSON.stringify(value) ?? "null");
				expect(decodeUpdate(sent)).toEqual(bySchema(sent));
			}),
			{ numRuns: 500 },
		);
	});

	it("takes nothing from a prototype that it names", () => {
		const sent: unknown = JSON.parse(
			'{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","__proto__":{"text":"no"}}}}',
		);
		expect(decodeUpdate(sent)).toEqual({ conversationId: "s", update: { kind: "message", text: "" } });
		const inherited: unknown = JSON.parse('{"__proto__":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk"}}}');
		expect(decodeUpdate(inherited).conversationId).toBe("");
	});

	it("costs one look at each of its fields, and copies nothing", () => {
		const looks: string[] = [];
		const watched = <T extends object>(value: T): T =>
			new Proxy(value, {
				get: (target, key) => {
					looks.push(String(key));
					return Reflect.get(target, key) as unknown;
				},
				ownKeys: (target) => {
					looks.push("every key");
					return Reflect.ownKeys(target);
				},
			});
		const content = watched({ type: "text", text: "hello", annotations: null });
		const update = watched({ sessionUpdate: "agent_message_chunk", content, messageId: "m", _meta: {} });
		expect(decodeUpdate(watched({ sessionId: "s", update })).update).toEqual({ kind: "message", text: "hello", agentMessageId: "m" });
		expect(looks.sort()).toEqual(["content", "messageId", "sessionId", "sessionUpdate", "text", "type", "update"]);
	});
});

describe("decoding what agents send", () => {
	it("turns any sequence of hostile updates into updates of the contract", () => {
		fc.assert(
			fc.property(fc.array(hostileUpdate, { maxLength: 20 }), (updates) => {
				const translator = new UpdateTranslator();
				for (const update of updates) {
					const received = decodeUpdate({ sessionId: "s", update });
					for (const translated of translator.translate(received.update)) Update.parse(translated);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("never throws for values of any form", () => {
		fc.assert(
			fc.property(anything, (value) => {
				expect(decodeUpdate(value).update.kind).toBe("ignored");
				decodePermission(value);
				readModelChoice(value);
				expect(readPromptResponse(value, "Agent", false).outcome.kind).toBeDefined();
			}),
		);
		fc.assert(
			fc.property(fc.record({ sessionId: text, toolCall: hostileUpdate, options: fc.oneof(fc.array(anything), anything) }), (value) => {
				decodePermission(value);
			}),
		);
	});

	it("keeps text exactly, whatever its pieces, and never cuts a character in two", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 2_000 }), (unit, times) => {
				const whole = unit.repeat(times);
				const translator = new UpdateTranslator();
				const translated = translator.translate({ kind: "message", text: whole });
				const pieces = translated.map((update) => (update.kind === "message_delta" ? update.text : ""));
				expect(pieces.join("")).toBe(whole);
				for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
			}),
		);
	});

	it("cuts previews at the limit in bytes, at a character", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 4_000 }), (unit, times) => {
				const rawInput = unit.repeat(times);
				const { update } = decodeUpdate({ sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "t", title: "t", rawInput } });
				const input = update.kind === "tool" ? update.change.input : undefined;
				expect(Buffer.byteLength(input?.preview.text ?? "")).toBeLessThanOrEqual(limits.previewBytes);
				expect(rawInput.startsWith(input?.preview.text ?? "?")).toBe(true);
				expect(input?.preview.truncated).toBe(Buffer.byteLength(rawInput) > limits.previewBytes);
				expect(input?.whole).toBe(rawInput);
			}),
		);
	});

	it("survives input nested deeper than JSON can be written", () => {
		const depth = 200_000;
		const nested: unknown = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
		const update = { sessionUpdate: "tool_call", toolCallId: "t", title: "deep", rawInput: nested };
		expect(decodeUpdate({ sessionId: "s", update }).update).toEqual({
			kind: "tool",
			change: { toolCallId: "t", title: "deep" },
		});
	});

	it("keeps a cost in another currency, as such", () => {
		const usage = (currency: string) =>
			decodeUpdate({ sessionId: "s", update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 7, currency } } }).update;
		expect(usage("EUR")).toMatchObject({ usage: { contextUsed: 1, otherCost: { amount: 7, currency: "EUR" } } });
		expect(usage("USD")).toEqual({ kind: "usage", usage: { contextUsed: 1, contextSize: 2, costUsd: 7 } });
		expect(usage("")).toEqual({ kind: "usage", usage: { contextUsed: 1, contextSize: 2 } });
	});

	it("keeps two long ids apart and within the contract", () => {
		const id = (last: string) =>
			decodeUpdate({ sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "x".repeat(500) + last } }).update;
		const [one, two] = [id("1"), id("2")].map((update) => (update.kind === "tool" ? update.change.toolCallId : ""));
		expect(one).not.toBe(two);
		expect(one?.length).toBeLessThanOrEqual(200);
	});
});

describe("the exact command line of a tool", () => {
	it.each([
		[{ command: "ls -la" }, "execute", "ls -la"],
		[{ command: "ls -la" }, "other", "ls -la"],
		[{ command: ["bash", "-lc", "echo 'hi there'"], timeout: 10 }, "execute", `bash -lc 'echo '\\''hi there'\\'''`],
		[{ command: "ls", cwd: "/" }, "execute", undefined],
		[{ command: "ls", cwd: "/work" }, "execute", "ls"],
		[{ command: "ls", env: { LD_PRELOAD: "x" } }, "execute", undefined],
		[{ command: "write" }, "edit", undefined],
		["ls", "execute", undefined],
	] as const)("of %j (%s) is %s", (input, kind, expected) => {
		const facts = addFacts(nothingSaid, { rawInput: input, content: [], locations: [], isTitleCut: false });
		expect(mayExecute(kind) ? exactCommand(facts, "/work") : undefined).toBe(expected);
	});
});

describe("the handshake", () => {
	it("reads what is offered and takes nothing for granted", () => {
		expect(readInitializeResponse({ protocolVersion: 1 })).toEqual({ loads: false, resumes: false, authMethods: [] });
		const offered = { loadSession: true, sessionCapabilities: { resume: {} } };
		const authMethods = [{ id: "a", name: "A" }, { name: "no id" }, 7];
		expect(readInitializeResponse({ protocolVersion: 1, agentCapabilities: offered, authMethods })).toEqual({
			loads: true,
			resumes: true,
			authMethods: [{ id: "a", name: "A" }],
		});
		expect(readInitializeResponse({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: null } } }).resumes).toBe(
			false,
		);
	});

	it("refuses another version and what is no answer", () => {
		expect(() => readInitializeResponse({ protocolVersion: 2 })).toThrow("version 2");
		fc.assert(fc.property(anything, (value) => void expect(() => readInitializeResponse(value)).toThrow()));
	});
});

it("a title that is too long says at its end that it was cut, and how long it was", () => {
	const title = `Read ${"é".repeat(2_000)}`;
	const update = { sessionUpdate: "tool_call", toolCallId: "1", title };
	const decoded = decodeUpdate({ sessionId: "s", update });
	const shown = decoded?.update.kind === "tool" ? (decoded.update.change.title ?? "") : "";
	expect(shown).toMatch(/^Read é+… \(truncated: 2005 characters in total\)$/);
	expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(1_024);
	expect(decoded?.parts?.isTitleCut).toBe(true);
});
