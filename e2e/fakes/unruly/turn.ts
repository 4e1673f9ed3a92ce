import type { AgentContext, PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import * as acp from "@agentclientprotocol/sdk";

/** What a directive works with while a prompt is served. */
export interface UnrulyTurn {
	readonly client: AgentContext;
	readonly sessionId: string;
	/** Number of this prompt in its conversation, from 1. */
	readonly promptNumber: number;
	/** The selected model; empty when none is offered. */
	readonly model: string;
	readonly blocks: readonly acp.ContentBlock[];
	/** Where final files belong, as the prompt says. */
	readonly directory: string;
	readonly cancelled: AbortSignal;
	ignoresCancel: boolean;
}

/** A directive's own end of the turn; undefined continues with the next step. */
export type StepEnd = PromptResponse | undefined;

export async function update(turn: UnrulyTurn, value: SessionUpdate): Promise<void> {
	await turn.client.notify(acp.methods.client.session.update, { sessionId: turn.sessionId, update: value });
}

export async function say(turn: UnrulyTurn, text: string): Promise<void> {
	await update(turn, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

/** Settles when the turn is cancelled; never when it ignores that. */
export function untilCancelled(turn: UnrulyTurn): Promise<void> {
	return new Promise((resolve) => {
		const settle = () => {
			if (!turn.ignoresCancel) resolve();
		};
		if (turn.cancelled.aborted) settle();
		else turn.cancelled.addEventListener("abort", settle, { once: true });
		// An abandoned promise alone would let the process end.
		const alive = setInterval(() => {}, 60_000);
		turn.cancelled.addEventListener("abort", () => turn.ignoresCancel || clearInterval(alive));
	});
}

/** Waits, shorter when the turn is cancelled. */
export async function pause(turn: UnrulyTurn, ms: number): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, ms);
	const onAbort = () => {
		if (!turn.ignoresCancel) resolve();
	};
	turn.cancelled.addEventListener("abort", onAbort, { once: true });
	await promise;
	clearTimeout(timer);
	turn.cancelled.removeEventListener("abort", onAbort);
}
