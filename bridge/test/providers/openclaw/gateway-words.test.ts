import { OpenClawSessionKey, RunId, type ThreadId, type ToolCallId, Update } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SpokenBefore } from "../../../src/ports/agents/provider.ts";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { connectProblem } from "../../../src/providers/openclaw/gateway/connect-problem.ts";
import { GatewayDisconnected, GatewayRefusal } from "../../../src/providers/openclaw/gateway/gateway-error.ts";
import { decodeFrame } from "../../../src/providers/openclaw/gateway/gateway-frame.ts";
import { decodeAgentEvent, decodeChatEvent, runOf } from "../../../src/providers/openclaw/turn/agent-event.ts";
import { GatewayTranslator } from "../../../src/providers/openclaw/turn/gateway-translator.ts";
import { newSessionKey, storedSessionKey } from "../../../src/providers/openclaw/turn/session-key.ts";
import { fold } from "../../runs/domain/fold.ts";

/** What the fold of a log with these updates has of its last words. */
function spokenIn(updates: readonly ProviderUpdate[]): SpokenBefore {
	const { message, thought } = fold(
		updates.map((update, index) => ({
			seq: index + 1,
			at: "2026-01-01T00:00:00.000Z",
			status: "running",
			event: { type: "said", update },
		})),
	);
	return { ...(message && { message }), ...(thought && { thought }) };
}

const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
const text = fc.oneof(fc.string({ unit: "binary" }), anything);
const hostileEvent = fc.record(
	{
		stream: fc.constantFrom("assistant", "thinking", "item", "tool", "usage", "lifecycle", "plan", "x"),
		data: fc.oneof(
			anything,
			fc.record(
				{
					text,
					delta: text,
					itemId: text,
					kind: fc.constantFrom("tool", "preamble"),
					phase: fc.constantFrom("start", "update", "result", "end", "error"),
					name: fc.oneof(fc.constantFrom("write", "exec", "__proto__", "constructor"), anything),
					toolCallId: fc.oneof(fc.constantFrom("a", "b"), fc.string({ maxLength: 400 }), anything),
					title: text,
					args: anything,
					isError: anything,
					result: fc.oneof(anything, fc.record({ content: fc.array(fc.record({ type: fc.constant("text"), text })) })),
					outputTokens: anything,
				},
				{ requiredKeys: [] },
			),
		),
		state: fc.constantFrom("status", "final", "delta"),
		message: anything,
		retry: anything,
	},
	{ requiredKeys: ["stream"] },
);

describe("decoding what a gateway sends", () => {
	it("turns any sequence of hostile events into updates of the contract", () => {
		fc.assert(
			fc.property(fc.array(hostileEvent, { maxLength: 20 }), (events) => {
				const translator = new GatewayTranslator("t-");
				for (const event of events) {
					for (const update of translator.translate(decodeAgentEvent(event))) Update.parse(update);
					for (const update of translator.translate(decodeChatEvent(event))) Update.parse(update);
				}
			}),
		);
	});

	it("reads any text as a frame or as none, and never throws", () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.json(), anything.map(safeJson)), (line) => {
				expect(["answer", "refusal", "event", "unreadable"]).toContain(decodeFrame(line).kind);
			}),
		);
		expect(decodeFrame('{"type":"event","event":"tick"}')).toEqual({ kind: "event", event: "tick", payload: undefined });
	});

	it("knows whose an event is by run and conversation alone", () => {
		expect(runOf({ runId: "r", sessionKey: "s", more: 1 })).toEqual({ runId: "r", sessionKey: "s" });
		for (const payload of [undefined, {}, { runId: "r" }, { sessionKey: "s" }, { runId: 1, sessionKey: "s" }])
			expect(runOf(payload)).toBeUndefined();
	});
});

describe("what a run says", () => {
	it("is whole whatever events were missed, as long as the last one of a message arrived", () => {
		const message = fc.record({
			itemId: fc.uuid(),
			pieces: fc.array(fc.string({ minLength: 1, unit: "grapheme" }), { minLength: 1, maxLength: 8 }),
		});
		fc.assert(
			fc.property(
				fc.uniqueArray(message, { maxLength: 4, selector: ({ itemId }) => itemId }),
				fc.infiniteStream(fc.boolean()),
				(messages, missed) => {
					const translator = new GatewayTranslator("t-");
					const said = new Map<string, string>();
					for (const { itemId, pieces } of messages) {
						for (let count = 1; count <= pieces.length; count++) {
							if (count < pieces.length && missed.next().value === true) continue;
							const data = { text: pieces.slice(0, count).join(""), delta: pieces[count - 1], itemId };
							for (const update of translator.translate(decodeAgentEvent({ stream: "assistant", data }))) {
								if (update.kind === "message_delta") said.set(update.messageId, (said.get(update.messageId) ?? "") + update.text);
							}
						}
					}
					expect([...said.values()]).toEqual(messages.map(({ pieces }) => pieces.join("")));
				},
			),
		);
	});

	it("goes on as another message when what was said is taken back", () => {
		const translator = new GatewayTranslator("t-");
		const say = (spoken: string) => translator.translate({ kind: "message", text: spoken, itemId: "i" });
		expect(say("one two")).toMatchObject([{ messageId: "t-message-1", text: "one two" }]);
		expect(say("one two three")).toMatchObject([{ messageId: "t-message-1", text: " three" }]);
		expect(say("four")).toMatchObject([{ messageId: "t-message-2", text: "four" }]);
	});

	it("is told once when another bridge takes it up in the middle of an answer, whatever was missed meanwhile", () => {
		const words = fc.array(fc.constantFrom("one ", "two\n", "three", "ä€😀 "), { minLength: 2, maxLength: 12 });
		const kind = fc.constantFrom("assistant", "thinking");
		fc.assert(
			fc.property(words, kind, fc.nat(), fc.nat(), fc.boolean(), (pieces, stream, first, then, isOver) => {
				const text = (count: number) => pieces.slice(0, count).join("");
				const cut = 1 + (first % pieces.length);
				const next = Math.min(pieces.length, cut + (then % 3));
				const say = (count: number) =>
					decodeAgentEvent({ stream, data: { text: text(count), ...(stream === "assistant" && { itemId: "i" }) } });
				const log = [...new GatewayTranslator("a-").translate(say(cut))];
				const second = new GatewayTranslator("b-", spokenIn(log));
				log.push(...second.translate(say(next)));
				if (isOver && stream === "assistant") log.push(...second.last({ text: text(pieces.length).trim(), truncated: false }));
				else log.push(...second.translate(say(pieces.length)));
				const said = log.map((update) => ("text" in update ? update.text : "")).join("");
				expect(said.trim()).toBe(text(pieces.length).trim());
				expect(new Set(log.map((update) => ("messageId" in update ? update.messageId : ""))).size).toBe(1);
			}),
		);
	});

	it("is another message when the one that an earlier bridge told was over, or begins otherwise", () => {
		const log = new GatewayTranslator("a-").translate({ kind: "message", text: "Let me look", itemId: "i:1" });
		const takenUp = () => new GatewayTranslator("b-", spokenIn(log));
		expect(takenUp().translate({ kind: "message", text: "It is done", itemId: "i:2" })).toMatchObject([
			{ messageId: "b-message-1", text: "It is done" },
		]);
		const afterTool = takenUp();
		afterTool.translate({ kind: "tool", change: { toolCallId: "c" as ToolCallId, title: "exec", state: "running" } });
		expect(afterTool.translate({ kind: "message", text: "Let me look again", itemId: "i:2" })).toMatchObject([
			{ messageId: "b-message-1", text: "Let me look again" },
		]);
	});

	it("goes on after a long message of which the log keeps the beginning at hand alone", () => {
		const long = "word ".repeat(60_000);
		const log = new GatewayTranslator("a-").translate({ kind: "message", text: long, itemId: "i" });
		const second = new GatewayTranslator("b-", spokenIn(log));
		expect(second.translate({ kind: "message", text: `${long}and more`, itemId: "i" })).toMatchObject([
			{ messageId: "a-message-1", text: "and more" },
		]);
	});

	it("ends with what its last message left out, when the connection was gone for it", () => {
		const translator = new GatewayTranslator("t-");
		translator.translate({ kind: "message", text: "It is\nforty", itemId: "i" });
		expect(translator.last({ text: "It is forty two.", truncated: false })).toMatchObject([{ messageId: "t-message-1", text: " two." }]);
	});

	it("ends with the run's last words, once", () => {
		const translator = new GatewayTranslator("t-");
		translator.translate({ kind: "message", text: "first words", itemId: "i" });
		expect(translator.last({ text: " first  words\n", truncated: false })).toEqual([]);
		expect(translator.last({ text: "first", truncated: true })).toEqual([]);
		expect(translator.last({ text: "", truncated: false })).toEqual([]);
		expect(translator.last({ text: "last words", truncated: false })).toMatchObject([
			{ kind: "message_delta", messageId: "t-message-2", text: "last words" },
		]);
	});
});

describe("the key of a conversation", () => {
	it("[T4-16] is the same for the same thread and run, another for others, and shows nothing of them", () => {
		const thread = fc.string({ minLength: 1 });
		const run = fc.stringMatching(/^[a-z0-9]{1,20}$/);
		fc.assert(
			fc.property(thread, run, thread, run, (threadA, runA, threadB, runB) => {
				const [a, b] = [newSessionKey(threadA as ThreadId, RunId.parse(runA)), newSessionKey(threadB as ThreadId, RunId.parse(runB))];
				expect(a === b).toBe(threadA === threadB && runA === runB);
				// Two conversations of one thread, which chance alone seldom makes.
				expect(newSessionKey(threadA as ThreadId, RunId.parse(runB)) === a).toBe(runA === runB);
				expect(OpenClawSessionKey.parse(a)).toMatch(/^agent:main:xwm-[0-9a-f]{24}$/);
			}),
		);
		expect(newSessionKey("draft:secret" as ThreadId, RunId.parse("run-1"))).not.toContain("secret");
	});

	it("is taken from what was stored only when it is one of ours", () => {
		const key = newSessionKey("t" as ThreadId, RunId.parse("run-1"));
		expect(storedSessionKey({ providerSessionId: key, workingDirectory: "/w" })).toBe(key);
		expect(storedSessionKey({ providerSessionId: "agent:main:main", workingDirectory: "/w" })).toBeUndefined();
		expect(storedSessionKey(undefined)).toBeUndefined();
	});
});

describe("why a gateway cannot be used", () => {
	const refusal = (facts: Partial<GatewayRefusal["facts"]>) =>
		new GatewayRefusal("no", { code: "INVALID_REQUEST", retryable: false, ...facts });

	it.each([
		[refusal({ detailCode: "AUTH_TOKEN_MISMATCH" }), "GATEWAY_TOKEN_WRONG", true],
		[refusal({ detailCode: "AUTH_DEVICE_TOKEN_MISMATCH" }), "GATEWAY_TOKEN_WRONG", true],
		[refusal({ detailCode: "AUTH_TOKEN_MISSING" }), "GATEWAY_TOKEN_MISSING", true],
		[refusal({ detailCode: "AUTH_PASSWORD_MISSING" }), "GATEWAY_PASSWORD_NEEDED", true],
		[refusal({ detailCode: "AUTH_RATE_LIMITED" }), "GATEWAY_LOCKED_OUT", true],
		[refusal({ detailCode: "AUTH_TOKEN_NOT_CONFIGURED" }), "GATEWAY_REFUSED", true],
		[refusal({ code: "NOT_PAIRED", detailCode: "PAIRING_REQUIRED", pairingRequestId: "req-7" }), "GATEWAY_PAIRING_NEEDED", true],
		[refusal({ detailCode: "PROTOCOL_MISMATCH" }), "GATEWAY_PROTOCOL", true],
		[refusal({ code: "UNAVAILABLE", retryable: true, retryAfterMs: 500, reason: "startup-sidecars" }), "GATEWAY_STARTING", false],
		[refusal({ code: "UNAVAILABLE", retryable: true, retryAfterMs: 500 }), "GATEWAY_CONNECTING", false],
		[refusal({ code: "UNAVAILABLE" }), "GATEWAY_CONNECTING", false],
		[refusal({ retryable: true }), "GATEWAY_CONNECTING", false],
		[refusal({ detailCode: "AUTH_RATE_LIMITED", retryable: true, retryAfterMs: 60_000 }), "GATEWAY_LOCKED_OUT", true],
		[refusal({ code: "NOT_PAIRED", detailCode: "PAIRING_REQUIRED", retryable: true }), "GATEWAY_PAIRING_NEEDED", true],
		[refusal({ code: "SOMETHING_NEW" }), "GATEWAY_REFUSED", true],
		[new GatewayDisconnected("connect ECONNREFUSED 127.0.0.1:1"), "GATEWAY_UNREACHABLE", false],
	])("is told with a code and a fix", (error, code, retriesSlowly) => {
		const problem = connectProblem(error, { host: "127.0.0.1:1", setBy: {} });
		expect(problem).toMatchObject({ retriesSlowly, unavailable: { code } });
		expect(problem.unavailable.fix).not.toBe("");
	});

	it("is starting only if the gateway says so; another refusal for now is given in the gateway's own words", () => {
		const problem = (facts: Partial<GatewayRefusal["facts"]>) =>
			connectProblem(refusal({ code: "UNAVAILABLE", retryable: true, retryAfterMs: 700, ...facts }), {
				host: "gateway.example",
				setBy: {},
			});
		const starting = problem({ reason: "startup-sidecars" });
		expect(starting).toMatchObject({ retryAfterMs: 700, unavailable: { message: "The OpenClaw gateway at gateway.example is starting." } });
		const other = problem({ reason: "gateway-suspend" });
		expect(other.retryAfterMs).toBe(700);
		expect(other.unavailable.message).toBe("The OpenClaw gateway at gateway.example isn't accepting connections at the moment: no.");
		const frame = {
			type: "res",
			id: "1",
			ok: false,
			error: { code: "UNAVAILABLE", message: "no", details: { reason: "startup-sidecars" } },
		};
		expect(decodeFrame(JSON.stringify(frame))).toMatchObject({ error: { facts: { reason: "startup-sidecars" } } });
		expect(problem({ detailCode: "AUTH_RATE_LIMITED" })).toMatchObject({ retryAfterMs: 700, unavailable: { code: "GATEWAY_LOCKED_OUT" } });
	});

	it("names the request that is to be approved", () => {
		const error = refusal({ detailCode: "PAIRING_REQUIRED", pairingRequestId: "req-7" });
		const problem = connectProblem(error, { host: "gateway.example", setBy: {} });
		expect(problem.unavailable.fix).toContain("openclaw devices approve req-7");
	});

	it("is not told of a token that was never sent, nor of one that may be right", () => {
		const said = (detailCode: string) =>
			connectProblem(refusal({ detailCode }), { host: "gateway.example", setBy: {} }).unavailable.message;
		expect(said("AUTH_TOKEN_MISSING")).toBe("The OpenClaw gateway at gateway.example needs a token, and none is set.");
		expect(said("AUTH_TOKEN_MISMATCH")).toContain("rejected the token");
		for (const code of ["AUTH_RATE_LIMITED", "AUTH_PASSWORD_MISMATCH", "AUTH_TOKEN_NOT_CONFIGURED"])
			expect(said(code)).not.toContain("rejected the token");
	});

	it("names the variable that sets the address or the token, because the page can't change those", () => {
		const setBy = { url: "XWORKMATE_OPENCLAW_URL", token: "XWORKMATE_OPENCLAW_TOKEN" };
		const fix = (error: unknown, set = setBy) => connectProblem(error, { host: "127.0.0.1:1", setBy: set }).unavailable.fix;
		const wrong = refusal({ detailCode: "AUTH_TOKEN_MISMATCH" });
		const away = new GatewayDisconnected("connect ECONNREFUSED 127.0.0.1:1");
		expect(fix(wrong)).toMatch(/^Set XWORKMATE_OPENCLAW_TOKEN to .*, then restart XWorkmate\.$/);
		expect(fix(away)).toMatch(/or correct XWORKMATE_OPENCLAW_URL and restart XWorkmate\.$/);
		const file = connectProblem(wrong, { host: "127.0.0.1:1", setBy: {} }).unavailable.fix;
		expect(file).toMatch(/^Set "Gateway token" under Settings > OpenClaw to .*, then restart the bridge\.$/);
	});
});

function safeJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? "";
	} catch {
		return "";
	}
}
