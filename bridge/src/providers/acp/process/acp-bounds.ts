import type { JsonBounds } from "../../../json/measure-json.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** In milliseconds, bytes or counts, as their names say. */
export interface AcpBounds {
	/** Time limit for initialize, session/new, session/load and similar requests. */
	readonly handshakeMs: number;
	/** How long an agent has to confirm a stop before its process group is killed. */
	readonly cancelMs: number;
	/** How long an agent without a turn is kept. */
	readonly idleMs: number;
	/** How many agents without a turn are kept, across all providers. */
	readonly maxIdle: number;
	/** Time between closing an agent's stdin and SIGTERM. */
	readonly inputClosedMs: number;
	/** Time between SIGTERM and SIGKILL. */
	readonly terminatedMs: number;
	readonly lineBytes: number;
	/** Limits of one message, because parsing is synchronous and blocks every run. */
	readonly message: JsonBounds;
	/** How many bytes of invalid messages are tolerated after the last valid one. */
	readonly garbageBytes: number;
	/** How many updates may wait for the run's log before reading from the agent pauses. */
	readonly pendingUpdates: number;
	/** How many requests from an agent may be unanswered. */
	readonly openRequests: number;
	/** How many bytes of an agent's stderr are kept. */
	readonly stderrBytes: number;
}

/** How long an agent that has confirmed a stop has to end the commands that it was running. */
export const COMMANDS_MS = 1_000;
/** How long the error of a failed request waits for the exit status and the last output of a dead agent. */
export const EXIT_WAIT_MS = 3_000;
/** An agent that exits within this time after its connection ended is assumed to have ended the connection by exiting. */
export const OWN_EXIT_MS = 1_000;
/** Time limit for reading the last output of a dead agent. */
export const DRAIN_MS = 5_000;

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
