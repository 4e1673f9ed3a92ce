import type { JsonBounds } from "../../../json/measure-json.ts";

const MIB = 1024 * 1024;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Milliseconds, bytes or counts, as named. */
export interface GatewayBounds {
	/** TCP, TLS and the upgrade to a WebSocket. */
	readonly openMs: number;
	/** From the open socket to the gateway's hello. */
	readonly handshakeMs: number;
	/** Time limit of one call, unless the call sets its own. */
	readonly requestMs: number;
	/** Largest frame taken from the gateway. */
	readonly frameBytes: number;
	/** Size of one frame: parsing is synchronous and blocks every run. A larger one counts as unreadable. */
	readonly frame: JsonBounds;
	/** Calls that wait for an answer. */
	readonly openCalls: number;
	/** First wait before the next attempt to connect; doubles up to `retryMaxMs`. */
	readonly retryMs: number;
	readonly retryMaxMs: number;
	/** Between attempts when a user has to act first (token, pairing). */
	readonly refusedRetryMs: number;
	/** Between two pings. */
	readonly pingMs: number;
	/** A socket that is silent for this long, or for two ticks of the gateway if that is longer, is dead. */
	readonly silenceMs: number;
	/** Without the gateway for this long, what it does and has is lost. */
	readonly lostMs: number;
	/** A turn waits this long for the gateway's session to end what it does. */
	readonly busyMs: number;
	/** Between two looks at the plugin's state of a run, events aside. */
	readonly pollMs: number;
	/** How much later than the gateway the plugin may report that a run has ended. */
	readonly witnessMs: number;
	/** Between two calls for a run to stop. */
	readonly abortMs: number;
	/** Collecting waits this long for background tasks that the run opened. */
	readonly backgroundMs: number;
	/** Collecting, hashing and sealing after that. */
	readonly collectMs: number;
	/** How long to wait for a run that was taken for ended but continues, before its files are given up. */
	readonly endingMs: number;
	/** A download without a byte for this long is begun again where it stopped. */
	readonly stallMs: number;
	/** Updates that wait for a run's log before the gateway is not read further. */
	readonly pendingUpdates: number;
	/** Asking for the availability waits this long for a connection attempt. */
	readonly availabilityMs: number;
	/** What was found out about the gateway counts for this long. */
	readonly doctorMs: number;
	/** Asking for it waits this long for a diagnosis. */
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
	doctorMs: 30 * SECOND,
	diagnoseMs: 15 * SECOND,
};
