import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";
import { formatSpan } from "../text/format-measure.ts";
import { BridgeTransportError } from "./wire/bridge-errors.ts";
import { failureVerdict } from "./wire/failure-verdict.ts";

interface RestartBounds {
	/** In milliseconds, from the first time that the bridge did not answer. */
	readonly waitMs: number;
	readonly everyMs: number;
}

/** Noticing that a bridge hangs, ending it and starting another takes about ten seconds. */
const restartBounds: RestartBounds = { waitMs: 20_000, everyMs: 250 };

/**
 * Queries a bridge that this app restarts when it hangs or exits: while the bridge does not answer, the query is repeated, for a limited
 * time.
 */
export class RestartedBridge {
	readonly #isOwn: boolean;
	readonly #bounds: RestartBounds;

	/** @param isOwn whether this app restarts the bridge; if not, a failed query is not repeated */
	constructor(isOwn: boolean, bounds: RestartBounds = restartBounds) {
		this.#isOwn = isOwn;
		this.#bounds = bounds;
	}

	/** @throws what `query` throws; AppError BRIDGE_NOT_RUNNING if the bridge did not answer again in time */
	async ask<T>(query: () => Promise<T>): Promise<T> {
		if (!this.#isOwn) return await query();
		const { waitMs, everyMs } = this.#bounds;
		let lostAt: number | undefined;
		for (;;) {
			try {
				return await query();
			} catch (error) {
				if (!isAway(error)) throw error;
				lostAt ??= performance.now();
				if (performance.now() - lostAt >= waitMs) throw stillAway(waitMs, error);
				await pause(everyMs);
			}
		}
	}
}

function isAway(error: unknown): boolean {
	const isTransport = error instanceof BridgeTransportError || error instanceof AppError;
	return isTransport && failureVerdict(error)?.again === true;
}

function stillAway(waitMs: number, cause: unknown): AppError {
	return new AppError(
		"BRIDGE_NOT_RUNNING",
		`The bridge did not answer within ${formatSpan(waitMs)}. XWorkmate may still be restarting it.`,
		`Try again in a moment. If that fails, read the bridge's log: ${commandLine("logs")}`,
		cause,
	);
}
