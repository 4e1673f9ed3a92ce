import { once } from "node:events";
import type * as acp from "@agentclientprotocol/sdk";
import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import { ask, askAndDo, askBare, askEdit, askEditOn, askForever, askMany, askOn, askTwice } from "./ask.ts";
import { fifo, hardlink, remove, symlink, write, writeMany } from "./files.ts";
import { afterEnd, answerTwice, escapes, flood, garbage, hugeLine, plan, slow, steady, tool } from "./output.ts";
import { becomeStubborn, die, hangUp, shellUntilCancelled, spawnChild } from "./process.ts";
import { firstWord, type Step } from "./script.ts";
import { type StepEnd, say, type UnrulyTurn, untilCancelled, update } from "./turn.ts";

type Directive = (turn: UnrulyTurn, rest: string) => StepEnd | Promise<StepEnd>;

const directives: Readonly<Record<string, Directive>> = {
	SAY: (turn, text) => spoken(say(turn, text)),
	THINK: (turn, text) => spoken(update(turn, { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: text || "hm" } })),
	TOOL: (turn, title) => tool(turn, title || "a tool"),
	PLAN: plan,
	USAGE: (turn) => spoken(update(turn, { sessionUpdate: "usage_update", used: 1000, size: 8000, cost: { amount: 0.25, currency: "USD" } })),
	/** An update, sent unchanged, but for `$XWORKMATE_ARTIFACT_DIRECTORY`. */
	UPDATE: ({ client, sessionId, directory }, json) => {
		const written = json.replaceAll("$XWORKMATE_ARTIFACT_DIRECTORY", () => JSON.stringify(directory).slice(1, -1));
		return spoken(client.notify<object>("session/update", { sessionId, update: JSON.parse(written) as unknown }));
	},
	SLOW: (turn, rest) => slow(turn, ...numbers(rest, 10, 100)),
	STEADY: (turn, rest) => steady(turn, ...numbers(rest, 1000, 500)),
	FLOOD: (turn, rest) => flood(turn, ...numbers(rest, 1000, 1024)),
	ESCAPES: escapes,
	GARBAGE: (_turn, count) => garbage(Number(count) || 5),
	HUGE_LINE: (_turn, bytes) => hugeLine(Number(bytes) || 40 * 1024 * 1024),
	ANSWER_TWICE: answerTwice,
	/** Reports a tool call and a text that many milliseconds after the end of the turn. */
	AFTER_END: (turn, ms) => afterEnd(turn, Number(ms) || 50),
	/** Reports a tool call, as JSON, that many milliseconds after the end of the turn. */
	UPDATE_AFTER_END: (turn, rest) => {
		const [ms, json] = firstWord(rest);
		setTimeout(() => update(turn, JSON.parse(json) as acp.SessionUpdate), Number(ms));
		return undefined;
	},
	STDERR: (_turn, text) => {
		process.stderr.write(`${text}\n`);
		return undefined;
	},
	/** Says its conversation's id, the number of this prompt, and its own pid. */
	SESSION: (turn) => spoken(say(turn, `session ${turn.sessionId} prompt ${turn.promptNumber} pid ${process.pid}\n`)),
	/** Says which model is selected. */
	MODEL: (turn) => spoken(say(turn, `model ${turn.model}\n`)),
	/** Says the prompt's blocks as JSON. */
	BLOCKS: (turn) => spoken(say(turn, JSON.stringify(turn.blocks))),
	/** Says the value of a variable of its environment. */
	ENV: (turn, name) => spoken(say(turn, `${name}=${process.env[name] ?? "(unset)"}\n`)),

	WRITE: write,
	REMOVE: remove,
	WRITE_MANY: (turn, rest) => writeMany(turn, ...numbers(rest, 10, 10)),
	SYMLINK: symlink,
	HARDLINK: hardlink,
	FIFO: fifo,

	ASK: ask,
	ASK_AND_DO: askAndDo,
	ASK_ON: askOn,
	ASK_BARE: askBare,
	ASK_EDIT: askEdit,
	ASK_EDIT_ON: askEditOn,
	ASK_FOREVER: askForever,
	ASK_TWICE: askTwice,
	ASK_MANY: (turn, count) => askMany(turn, Number(count) || 3),
	/** Calls a method of the client that it has not been offered. */
	CALL: async (turn, method) => {
		const failure = await turn.client.request(method, { sessionId: turn.sessionId, path: "/etc/passwd", content: "x" }).then(
			() => "answered",
			(error: unknown) => (error instanceof RequestError ? `error ${error.code}` : String(error)),
		);
		await say(turn, `${method}: ${failure}\n`);
		return undefined;
	},

	HANG: async (turn) => {
		await untilCancelled(turn);
		return { stopReason: "cancelled" };
	},
	/** After IGNORE_CANCEL: the steps that follow are taken once the turn is cancelled. */
	UNTIL_CANCELLED: async ({ cancelled }) => {
		// An abandoned promise alone would let the process end.
		const alive = setInterval(() => {}, 60_000);
		if (!cancelled.aborted) await once(cancelled, "abort");
		clearInterval(alive);
		return undefined;
	},
	IGNORE_CANCEL: (turn) => {
		turn.ignoresCancel = true;
		return undefined;
	},
	STUBBORN: becomeStubborn,
	SPAWN_CHILD: (turn) => spawnChild(turn, false),
	SPAWN_DETACHED: (turn) => spawnChild(turn, true),
	SHELL_UNTIL_CANCELLED: shellUntilCancelled,
	DIE: (_turn, how) => die(how),
	HANG_UP: hangUp,

	END_SILENT: () => ending("end_turn"),
	REFUSE: () => ending("refusal"),
	MAX_TOKENS: () => ending("max_tokens"),
	MAX_TURNS: () => ending("max_turn_requests"),
	CANCELLED: () => ending("cancelled"),
	AUTH_REQUIRED: () => {
		throw RequestError.authRequired();
	},
	ERROR: (_turn, rest) => {
		const [code, message] = firstWord(rest);
		throw new RequestError(Number(code) || -32603, message || "scripted error");
	},
};

/** Takes the steps in order. @throws RequestError for those that answer the prompt with an error. */
export async function runScript(turn: UnrulyTurn, steps: readonly Step[]): Promise<acp.PromptResponse> {
	for (const { verb, rest } of steps) {
		const directive = directives[verb];
		if (directive === undefined) throw RequestError.invalidParams({ verb }, `unknown directive ${verb}`);
		const end = await directive(turn, rest);
		if (end !== undefined) return end;
		if (turn.cancelled.aborted && !turn.ignoresCancel) return ending("cancelled");
	}
	return ending("end_turn");
}

function ending(stopReason: StopReason): acp.PromptResponse {
	return { stopReason };
}

async function spoken(sent: Promise<void>): Promise<StepEnd> {
	await sent;
	return undefined;
}

function numbers(rest: string, first: number, second: number): [number, number] {
	const [one, two] = rest.trim().split(/\s+/).map(Number);
	return [one || first, two ?? second];
}
