import { artifactDirectory } from "../unruly/script.ts";
import { type StreamFault, streamFaultOf } from "./account-behaviour.ts";
import { type Conversation, type Dialect, readConversation } from "./conversation.ts";
import { type JsonObject, objectOf } from "./json.ts";
import { buildInput, chooseTool, type Operation, type ToolInput } from "./tool-input.ts";

/** What the model does with one request. */
export type Act =
	| { readonly type: "text"; readonly text: string; readonly thought?: string }
	| { readonly type: "slow"; readonly seconds: number }
	| { readonly type: "paced"; readonly firstMs: number; readonly everyMs: number; readonly count: number }
	| { readonly type: "hang" }
	| { readonly type: "error"; readonly status: number }
	/** Bytes that no dialect can parse, sent as a successful answer. */
	| { readonly type: "garbage" }
	/** A valid answer without text. */
	| { readonly type: "nothing" }
	/** Half an answer. */
	| { readonly type: "broken"; readonly fault: StreamFault }
	| { readonly type: "tool"; readonly name: string; readonly namespace?: string; readonly input: ToolInput; readonly lead: string };

export interface Decision {
	readonly act: Act;
	readonly directive: string | undefined;
	/** Tool results since the directive: the index of the step to take. */
	readonly done: number;
	readonly conversation: Conversation;
}

/** How this model is, whatever it is asked. */
export interface Habits {
	/** Shell calls ask to leave the agent's sandbox, where its tool has a way to ask. */
	readonly escalate: boolean;
	/** The script of a prompt that reads as a user's, by one of the prompt's lines. */
	readonly stories: ReadonlyMap<string, string>;
}

const sideAnswer: Act = { type: "text", text: "Fake title" };

/**
 * Pure. The last line with a `FAKE:` directive in what the user said, or with a story of its own, scripts the answer; its steps are
 * joined by ` ;; ` and taken one a request, by the number of tool results that came after it.
 */
export function decide(dialect: Dialect, body: JsonObject, { escalate, stories }: Habits): Decision {
	const conversation = readConversation(dialect, body);
	const at = conversation.turns.findLastIndex((turn) => turn.role === "user" && directiveOf(turn.text, stories) !== "");
	const scripted = conversation.turns[at];
	if (scripted === undefined) {
		const act: Act = conversation.tools.length > 0 ? { type: "text", text: "Hello from the fake model." } : sideAnswer;
		return { act, directive: undefined, done: 0, conversation };
	}
	const directive = directiveOf(scripted.text, stories);
	const results = conversation.turns.slice(at + 1).filter((turn) => turn.role === "tool");
	const step = directive.split(/\s*;;\s*/)[results.length];
	const last = results.at(-1)?.text.slice(0, 160);
	const act: Act =
		step === undefined
			? { type: "text", text: `FINAL: ${results.length} tool result(s). Last: ${last}` }
			: actOf(step, conversation, {
					escalate,
					directory: artifactDirectory(scripted.text),
					results: results.map(({ text }) => text),
					orders: () => hiddenOrders(body),
				});
	return { act, directive, done: results.length, conversation };
}

/** Empty: nothing in the text says what to do. */
function directiveOf(text: string, stories: Habits["stories"]): string {
	const lines = text.split("\n");
	const line = lines.findLast((candidate) => /FAKE:[A-Z]+/.test(candidate));
	if (line === undefined) return lines.map((candidate) => stories.get(candidate)).findLast((story) => story !== undefined) ?? "";
	const [directive = ""] = line.slice(line.indexOf("FAKE:")).split("</");
	return directive.trim();
}

interface Circumstances {
	readonly escalate: boolean;
	/** Where final files belong, as the prompt says; stands for `$XWORKMATE_ARTIFACT_DIRECTORY` in a step. */
	readonly directory: string | undefined;
	readonly results: readonly string[];
	/** What somebody hid for it in the last thing that it read. */
	readonly orders: () => readonly string[];
}

function actOf(step: string, conversation: Conversation, { escalate, directory, results, orders }: Circumstances): Act {
	// A request without tools is an agent's side question, such as a title for the conversation.
	if (conversation.tools.length === 0) return sideAnswer;
	const [, verb = "SAY", rest = step] =
		/^FAKE:([A-Z]+)\s*(.*)$/s.exec(step) ??
		/^(WRITE|RUN|READ|TOOL|RAW|ANSWER|OBEY|BREAK|SAY|DELIVER|THINK|SLOW|PACE|HANG|BIG|GARBAGE|NOTHING|ERR)\b\s*(.*)$/s.exec(step) ??
		[];
	switch (verb) {
		case "SAY":
			return { type: "text", text: rest || "ok" };
		case "DELIVER":
			return { type: "text", text: `I looked into it, step 1 of 1.\n\n<deliverable>\n${rest}\n</deliverable>` };
		case "THINK":
			return { type: "text", thought: "Let me think about it.", text: rest || "ok" };
		case "SLOW":
			return { type: "slow", seconds: Number(rest) || 30 };
		case "PACE": {
			const [firstMs = 500, everyMs = 5, count = 100] = rest.split(/\s+/).map(Number);
			return { type: "paced", firstMs, everyMs, count };
		}
		case "HANG":
			return { type: "hang" };
		case "BIG":
			return { type: "text", text: "big_".repeat(Math.ceil((Number(rest) || 5_000_000) / 4)) };
		case "GARBAGE":
			return { type: "garbage" };
		case "NOTHING":
			return { type: "nothing" };
		case "ERR":
			return { type: "error", status: Number(rest) || 500 };
		case "TOOL":
			return namedTool(rest, conversation);
		case "RAW":
			return rawTool(rest);
		case "ANSWER":
			return namedTool(`answer {"segments":${withReceipts(rest, results)}}`, conversation);
		case "OBEY": {
			const hidden = orders();
			const order = hidden[Number(rest) - 1] ?? hidden.at(-1);
			if (order === undefined) return { type: "text", text: "There is no order here." };
			return actOf(order, conversation, { escalate, directory, results, orders: () => [] });
		}
		case "BREAK":
			return { type: "broken", fault: streamFaultOf(rest) ?? "cut" };
		default:
			return operate(operationOf(verb, rest, directory), conversation, escalate);
	}
}

/**
 * The steps in `ORDERS:<base64url>`, wherever it is in what the model is shown: it does what a text tells it that only looks like orders.
 * Encoded, so that no quoting on the way changes them.
 */
function hiddenOrders(body: JsonObject): readonly string[] {
	const [, hidden = ""] =
		JSON.stringify(body)
			.matchAll(/ORDERS:([\w-]+)/g)
			.toArray()
			.at(-1) ?? [];
	const steps = Buffer.from(hidden, "base64url").toString("utf8");
	return steps === "" ? [] : steps.split(/\s*;;\s*/);
}

function operationOf(verb: string, rest: string, directory: string | undefined): Operation {
	const [, path = "", text = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	const placed = (words: string) => (directory === undefined ? words : words.replaceAll("$XWORKMATE_ARTIFACT_DIRECTORY", directory));
	if (verb === "WRITE") return { kind: "write", path: placed(path), text: text || "hello" };
	if (verb === "READ") return { kind: "read", path: placed(rest.trim()) };
	return { kind: "run", command: placed(rest) };
}

function operate(operation: Operation, { tools }: Conversation, escalate: boolean): Act {
	const tool = chooseTool(tools, operation);
	if (tool === undefined) return { type: "text", text: `NO TOOL for ${operation.kind} among ${tools.map(({ name }) => name).join(",")}` };
	return toolAct(tool.name, tool.namespace, buildInput(tool, operation, escalate));
}

function namedTool(rest: string, { tools }: Conversation): Act {
	const [, name = "", json = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	const args: unknown = JSON.parse(json || "{}");
	return toolAct(name, tools.find((tool) => tool.name === name)?.namespace, { args: objectOf(args) });
}

function rawTool(rest: string): Act {
	const [, name = "", raw = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
	return toolAct(name, undefined, { raw });
}

const RECEIPT_ID = /\brun-[A-Za-z0-9_-]+\.[1-9]\d*\b/g;

/** A model that reads its tool results knows the receipts by their ids. */
function withReceipts(segments: string, results: readonly string[]): string {
	const ids = results.map((text) => [...new Set(text.match(RECEIPT_ID) ?? [])]).findLast((found) => found.length > 0) ?? [];
	return segments.replace(/\$receipt\((\d+)\)/g, (whole, number: string) => ids[Number(number) - 1] ?? whole);
}

function toolAct(name: string, namespace: string | undefined, input: ToolInput): Act {
	const act = { type: "tool", name, input, lead: "I will do that now." } as const;
	return namespace === undefined ? act : { ...act, namespace };
}
