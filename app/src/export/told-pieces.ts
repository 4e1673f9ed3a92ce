import { setImmediate } from "node:timers/promises";
import type { SessionUpdate } from "@xworkmate/contracts";
import type { ThreadStore, TurnKey } from "../threads/index.ts";

/** What an agent said, or how many calls and requests there were before it said more. */
export type ToldPiece = { readonly text: string } | { readonly calls: number; readonly requests: number };

const PAGE = 500;

/**
 * What a turn's agent said, in log order, with the number of calls and requests between its messages. As on the page, a message is at the
 * place where it began, and a request in the middle of it splits it. Between two batches of updates, other requests are answered.
 */
export async function toldPieces(store: Pick<ThreadStore, "readUpdates">, key: TurnKey): Promise<readonly ToldPiece[]> {
	const said = new Map<string, string>();
	/** The keys of messages, calls and requests, in the order in which they began. */
	const order = new Set<string>();
	let requests = 0;
	for (let page = store.readUpdates(key, 0, PAGE); page.length > 0; page = store.readUpdates(key, page.at(-1)?.seq ?? 0, PAGE)) {
		for (const { update } of page) {
			const item = keyOf(update, requests);
			if (item === undefined) continue;
			if (update.kind === "approval" && !order.has(item)) requests += 1;
			order.add(item);
			if (update.kind === "message_delta") said.set(item, (said.get(item) ?? "") + update.text);
		}
		await setImmediate();
	}
	return piecesOf(order, said);
}

function keyOf(update: SessionUpdate["update"], requests: number): string | undefined {
	switch (update.kind) {
		case "message_delta":
			return `m:${update.messageId}:${requests}`;
		case "tool_call":
			return `c:${update.toolCallId}`;
		case "approval":
			return `a:${update.approvalId}`;
		default:
			return undefined;
	}
}

function piecesOf(order: ReadonlySet<string>, said: ReadonlyMap<string, string>): readonly ToldPiece[] {
	const pieces: ToldPiece[] = [];
	for (const item of order) {
		const text = said.get(item);
		if (text !== undefined) {
			if (text.trim() !== "") pieces.push({ text });
			continue;
		}
		const last = pieces.at(-1);
		const before = last !== undefined && "calls" in last ? last : { calls: 0, requests: 0 };
		if (last === before) pieces.pop();
		const isCall = item.startsWith("c:");
		pieces.push({ calls: before.calls + (isCall ? 1 : 0), requests: before.requests + (isCall ? 0 : 1) });
	}
	return pieces;
}
