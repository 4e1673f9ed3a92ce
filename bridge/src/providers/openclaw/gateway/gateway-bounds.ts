import type { JsonBounds } from "../../../json/measure-json.ts";

const MIB = 1024 * 1024;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Limits and delays, in milliseconds, bytes or counts, as their names say. */
export interface GatewayBounds {
	/** Time limit for TCP, TLS and the upgrade to a WebSocket. */
	readonly openMs: number;
	/** Time limit from the start of a connection attempt to the gateway's hello. */
	readonly handshakeMs: number;
	/** Time limit of one call, unless the call sets its own. */
	readonly requestMs: number;
	/** Largest frame accepted from the gateway. */
	readonly frameBytes: number;
	/** Limits of one frame: parsing is synchronous and blocks every run. A larger frame counts as unreadable. */
	readonly frame: JsonBounds;
	/** How many calls may wait for an answer. */
	readonly openCalls: number;
	/** Delay after the first failure to connect, or to carry out a call that is repeated; doubles up to `retryMaxMs`. */
	readonly retryMs: number;
	readonly retryMaxMs: number;
	/**
	 * Delay between attempts if retrying soon is useless: the user has to act first (token, pairing), or the gateway has locked this computer
	 * out. A requested attempt may begin after a sixth of this delay.
	 */
	readonly refusedRetryMs: number;
	/** Delay between two pings. */
	readonly pingMs: number;
	/** A socket that is silent for this long, or for two ticks of the gateway if that is longer, is considered dead. */
	readonly silenceMs: number;
	/** After this long without the gateway, its runs and files are considered lost. */
	readonly lostMs: number;
	/** How long a turn waits for a busy conversation on the gateway. */
	readonly busyMs: number;
	/** Delay between two reads of a run's state from the plugin, in addition to events. */
	readonly pollMs: number;
	/** How much later than the gateway the plugin may report the end of a run. */
	readonly witnessMs: number;
	/** Delay between two requests for a run to stop. */
	readonly abortMs: number;
	/** How long collecting waits for background tasks that the run opened. */
	readonly backgroundMs: number;
	/** Time limit for collecting, hashing and sealing, not counting the wait for background tasks. */
	readonly collectMs: number;
	/** How long to wait for a run that was reported as ended but continues, before its files are given up. */
	readonly endingMs: number;
	/** A download that receives nothing for this long is resumed where it stopped. */
	readonly stallMs: number;
	/** How many updates may wait for a run's log before reading from the gateway pauses. */
	readonly pendingUpdates: number;
	/** How long an availability request waits for a connection attempt. */
	readonly availabilityMs: number;
	/** How long a test waits for a connection attempt: longer than the shortest pause after a refused one. */
	readonly testMs: number;
	/** How long the result of a diagnosis is valid. */
	readonly doctorMs: number;
	/** How long an availability request or a test waits for a diagnosis. */
	readonly diagnoseMs: number;
}

export const defaultGatewayBounds: GatewayBounds = {
	openMs: 10 * SECOND,
	handshakeMs: 30 * SECOND,
	requestMs: 30 * SECOND,
	frameBytes: 32 * MIB,
	frame: { depth: 256, members: 100_000 },
	openCalls: 1_000,
	retryMs: 250,
	retryMaxMs: 15 * SECOND,
	refusedRetryMs: 30 * SECOND,
	pingMs: 10 * SECOND,
	silenceMs: 30 * SECOND,
	lostMs: 10 * MINUTE,
	busyMs: MINUTE,
	pollMs: 5 * SECOND,
	witnessMs: 15 * SECOND,
	abortMs: 5 * SECOND,
	backgroundMs: 3 * MINUTE,
	collectMs: 10 * MINUTE,
	endingMs: MINUTE,
	stallMs: 30 * SECOND,
	pendingUpdates: 256,
	availabilityMs: 2 * SECOND,
	testMs: 8 * SECOND,
	doctorMs: 30 * SECOND,
	diagnoseMs: 15 * SECOND,
};
