import { setImmediate } from "node:timers/promises";
import type { SessionUpdate } from "@xworkmate/contracts";
import type { ThreadStore, TurnKey } from "../threads/index.ts";

/** What an agent said, or the number of calls and requests before it said more. */
export type ToldPiece = { readonly text: string } | { readonly calls: number; readonly requests: number };

/** What is known about a turn from its updates. */
export interface ToldTurn {
	readonly told: readonly ToldPiece[];
	/** Other kinds of text that the agent wrote and that `told` leaves out. */
	readonly leftOut: readonly ("plan" | "thoughts")[];
	/** The number of the last update that was read; 0 if there is none. */
	readonly lastSeq: number;
}

const PAGE = 500;

/**
 * What a turn's agent said, in log order, with the number of calls and requests between its messages. As on the page, a message is placed
 * where it began, and is split by a request in the middle of it. The app can do other work between two batches of updates.
 */
export async function toldTurn(store: Pick<ThreadStore, "readUpdates">, key: TurnKey): Promise<ToldTurn> {
	const said = new Map<string, string>();
	/** The keys of messages, calls and requests, in the order in which they began. */
	const order = new Set<string>();
	const leftOut = new Set<"plan" | "thoughts">();
	let requests = 0;
	let lastSeq = 0;
	for (let page = store.readUpdates(key, 0, PAGE); page.length > 0; page = store.readUpdates(key, lastSeq, PAGE)) {
		lastSeq = page.at(-1)?.seq ?? lastSeq;
		for (const { update } of page) {
			if (update.kind === "plan" && update.entries.length > 0) leftOut.add("plan");
			if (update.kind === "thought_delta" && update.text.trim() !== "") leftOut.add("thoughts");
			const item = keyOf(update, requests);
			if (item === undefined) continue;
			if (update.kind === "approval" && !order.has(item)) requests += 1;
			order.add(item);
			if (update.kind === "message_delta") said.set(item, (said.get(item) ?? "") + update.text);
		}
		await setImmediate();
	}
	return { told: piecesOf(order, said), leftOut: [...leftOut].sort(), lastSeq };
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
