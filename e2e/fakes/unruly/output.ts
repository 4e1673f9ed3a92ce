import { once } from "node:events";
import { pause, type StepEnd, say, type UnrulyTurn, update } from "./turn.ts";

/** Bytes on stdout that are no message of the protocol. */
async function raw(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Lines that are no JSON, then half a message. */
export async function garbage(count: number): Promise<StepEnd> {
	for (let index = 0; index < count; index++) await raw(`garbage line ${index} \u0000 \u001b[31m\n`);
	await raw('{"jsonrpc":"2.0","method":"session/upd\n[1,2,3]\n42\nnull\n{}\n{"id":9007199254740993,"result":{}}\n');
	return undefined;
}

/** Answers the handshake, which is the first request, again. */
export async function answerTwice(): Promise<StepEnd> {
	await raw('{"jsonrpc":"2.0","id":1,"result":{}}\n');
	return undefined;
}

/** A completed tool call and a text, each twice, when the turn has been over for a while. */
export function afterEnd(turn: UnrulyTurn, ms: number): StepEnd {
	setTimeout(async () => {
		for (const _ of [1, 2]) {
			await update(turn, { sessionUpdate: "tool_call", toolCallId: "late", title: "too late", kind: "execute", status: "completed" });
			await say(turn, "too late");
		}
	}, ms);
	return undefined;
}

/** One line of that many bytes, without its end. */
export async function hugeLine(bytes: number): Promise<StepEnd> {
	const piece = "x".repeat(64 * 1024);
	for (let sent = 0; sent < bytes; sent += piece.length) await raw(piece);
	return undefined;
}

export async function flood(turn: UnrulyTurn, count: number, bytes: number): Promise<StepEnd> {
	const text = "f".repeat(bytes);
	for (let index = 0; index < count && (turn.ignoresCancel || !turn.cancelled.aborted); index++) await say(turn, text);
	return undefined;
}

export async function slow(turn: UnrulyTurn, count: number, ms: number): Promise<StepEnd> {
	for (let index = 1; index <= count; index++) {
		await say(turn, `tick ${index} `);
		await pause(turn, ms);
		if (turn.cancelled.aborted && !turn.ignoresCancel) return { stopReason: "cancelled" };
	}
	return undefined;
}

/** Words and the steps of tools in turn, so that no two updates are one, at a steady rate: what a late timer missed is made up for. */
export async function steady(turn: UnrulyTurn, count: number, perSecond: number): Promise<StepEnd> {
	const begin = performance.now();
	for (let index = 0; index < count; ) {
		const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1000) + 1);
		for (; index < due; index++) await steadyUpdate(turn, index);
		await pause(turn, 2);
		if (turn.cancelled.aborted && !turn.ignoresCancel) return { stopReason: "cancelled" };
	}
	return undefined;
}

function steadyUpdate(turn: UnrulyTurn, index: number): Promise<void> {
	const toolCallId = `step-${Math.floor(index / 4)}`;
	switch (index % 4) {
		case 0:
			return say(turn, `A sentence of some forty letters, no. ${index}.\n\n`);
		case 1:
			return update(turn, { sessionUpdate: "tool_call", toolCallId, title: `look at file ${index}`, kind: "read", status: "pending" });
		default:
			return update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: index % 4 === 2 ? "in_progress" : "completed" });
	}
}

/** Terminal control sequences in every text a user may see. */
export async function escapes(turn: UnrulyTurn): Promise<StepEnd> {
	const text = "\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m\u0008\u009b1m";
	await say(turn, text);
	await update(turn, { sessionUpdate: "tool_call", toolCallId: "escapes", title: text, kind: "execute", status: "completed" });
	process.stderr.write(`${text}\n`);
	return undefined;
}

/** A whole tool call: announced, running, completed with a text and a diff. */
export async function tool(turn: UnrulyTurn, title: string): Promise<StepEnd> {
	const toolCallId = `tool-${title}`;
	await update(turn, { sessionUpdate: "tool_call", toolCallId, title, kind: "edit", status: "pending", rawInput: { path: "a.txt" } });
	await update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
	await update(turn, {
		sessionUpdate: "tool_call_update",
		toolCallId,
		status: "completed",
		content: [
			{ type: "content", content: { type: "text", text: `did ${title}` } },
			{ type: "diff", path: "/work/a.txt", oldText: "old", newText: "new" },
		],
		locations: [{ path: "/work/a.txt", line: 3 }],
	});
	return undefined;
}

export async function plan(turn: UnrulyTurn): Promise<StepEnd> {
	await update(turn, {
		sessionUpdate: "plan",
		entries: [
			{ content: "first", priority: "high", status: "completed" },
			{ content: "second", priority: "low", status: "in_progress" },
		],
	});
	return undefined;
}
