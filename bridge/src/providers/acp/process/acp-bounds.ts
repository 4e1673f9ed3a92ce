import type { JsonBounds } from "../../../json/measure-json.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Milliseconds, bytes or counts, as named. */
export interface AcpBounds {
	/** initialize, session/new, session/load and their like. */
	readonly handshakeMs: number;
	/** From a stop to the death of a process group that did not confirm it. */
	readonly cancelMs: number;
	/** An agent without a turn for this long is ended. */
	readonly idleMs: number;
	/** Agents that are kept without a turn, over all providers. */
	readonly maxIdle: number;
	/** Between closing an agent's stdin and SIGTERM. */
	readonly inputClosedMs: number;
	/** Between SIGTERM and SIGKILL. */
	readonly terminatedMs: number;
	readonly lineBytes: number;
	/** Size of one message: parsing is synchronous and blocks every run. */
	readonly message: JsonBounds;
	/** Bytes that are no message, since the last message. */
	readonly garbageBytes: number;
	/** Updates that wait for the run's log before the agent is not read further. */
	readonly pendingUpdates: number;
	/** Requests of an agent that are not answered yet. */
	readonly openRequests: number;
	/** Kept of what an agent writes to stderr. */
	readonly stderrBytes: number;
}

export const defaultBounds: AcpBounds = {
	handshakeMs: 60_000,
	cancelMs: 10_000,
	idleMs: 10 * 60_000,
	maxIdle: 8,
	inputClosedMs: 2_000,
	terminatedMs: 2_000,
	lineBytes: 32 * MIB,
	message: { depth: 256, members: 100_000 },
	garbageBytes: MIB,
	pendingUpdates: 64,
	openRequests: 64,
	stderrBytes: 64 * KIB,
};
