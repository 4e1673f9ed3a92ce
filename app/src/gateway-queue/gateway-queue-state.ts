import { omitUndefined } from "@xworkmate/contracts";
import type { GatewayQueueLimits, GatewayQueuePosition, QueuePause } from "../api/app-api.ts";
import type { Admission, GatewayTurn, TurnKey } from "../threads/index.ts";

/** The limits to use until the bridge has reported its own. One active turn is the smallest limit that lets a turn run. */
export const assumedLimits: GatewayQueueLimits = { maxActive: 1, maxQueued: 20 };

/** The turns of the OpenClaw queue: those that hold a slot from submit to end, and those that wait, first come, first served. */
export interface GatewayQueueState {
	readonly active: readonly TurnKey[];
	readonly waiting: readonly TurnKey[];
}

/** Derives the queue's state from the turns, in the order they were written. The state is not stored. */
export function queueStateOf(turns: readonly GatewayTurn[]): GatewayQueueState {
	const keys = (waits: boolean) => turns.filter((turn) => turn.waits === waits).map(({ threadId, turnId }) => ({ threadId, turnId }));
	return { active: keys(false), waiting: keys(true) };
}

/** What happens to a turn that is sent now. While other turns wait, a new turn also waits, so that the order is kept. */
export function admit({ active, waiting }: GatewayQueueState, { maxActive, maxQueued }: GatewayQueueLimits): Admission {
	if (waiting.length === 0 && active.length < maxActive) return "run";
	return waiting.length < maxQueued ? "wait" : "full";
}

/**
 * The waiting turns to submit now, in order (docs/protocol.md#openclaw-queue). A run holds its slot until it ends, however long ago it was
 * accepted. The order is first come, first served. A thread has at most one turn in the queue, so no thread can block another for long.
 */
export function drainOpenClawGatewayQueue({ active, waiting }: GatewayQueueState, { maxActive }: GatewayQueueLimits): readonly TurnKey[] {
	return waiting.slice(0, Math.max(0, maxActive - active.length));
}

/** The position of each waiting turn, in order. */
export function placesOf(
	{ waiting }: GatewayQueueState,
	paused: QueuePause | undefined,
): readonly (TurnKey & { readonly place: GatewayQueuePosition })[] {
	return waiting.map((key, index) => ({
		...key,
		place: { position: index + 1, length: waiting.length, ...omitUndefined({ paused }) },
	}));
}
