import { isTerminal } from "@xworkmate/contracts";
import type { EarlierTurn } from "../../ports/agents/provider.ts";
import type { RunRecord } from "../../ports/runs/run-record.ts";
import type { RunStore } from "../../ports/runs/run-store.ts";

/** How much of a conversation is passed on. */
const conversationBounds = { turns: 20, bytes: 64 * 1024, turnBytes: 16 * 1024 } as const;

/**
 * The finished turns of the conversation before this one, oldest first: the latest ones that fit, but none from before the turn that began
 * the conversation. Long texts are cut off, with a note.
 */
export async function earlierTurns(
	{ threadId, runId, createdAt, input }: Pick<RunRecord, "threadId" | "runId" | "createdAt" | "input">,
	runs: Pick<RunStore, "listRuns" | "findRun" | "sealedSnapshot">,
): Promise<readonly EarlierTurn[]> {
	if (input.fresh) return [];
	// The list also contains newer turns, which wait until this one has ended.
	const listed = await runs.listRuns({ threadId, limit: 5 * conversationBounds.turns });
	const ended = listed.items.filter((run) => run.runId !== runId && run.createdAt <= createdAt && isTerminal(run.status));
	const turns: EarlierTurn[] = [];
	let left: number = conversationBounds.bytes;
	for (const { runId: earlier, status } of ended.slice(0, conversationBounds.turns)) {
		const record = await runs.findRun(earlier);
		if (record === undefined || !isTerminal(status)) continue;
		const answer = (await runs.sealedSnapshot(earlier))?.output?.text;
		const turn = { prompt: cut(record.input.prompt), ...(answer === undefined ? {} : { answer: cut(answer) }), status };
		left -= Buffer.byteLength(turn.prompt) + Buffer.byteLength(turn.answer ?? "");
		if (left < 0) break;
		turns.push(turn);
		if (record.input.fresh) break;
	}
	return turns.reverse();
}

function cut(text: string): string {
	const whole = text.toWellFormed();
	if (Buffer.byteLength(whole) <= conversationBounds.turnBytes) return whole;
	const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(conversationBounds.turnBytes));
	return `${whole.slice(0, read)}\n[cut: the rest of this text is not shown]`;
}
