import { setTimeout as delay } from "node:timers/promises";
import { type Endpoint, omitUndefined } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { adoptBridge } from "./adopt-bridge.ts";
import { askAlive } from "./ask-alive.ts";
import { forgetOwnBridge } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { type BridgeTrouble, SOON_MS, troubleWords } from "./bridge-trouble.ts";
import { type PulseBounds, pulseBounds, type Rest, untilSilent } from "./pulse.ts";
import { RestartPace } from "./restart-pace.ts";
import { BridgeHomeInUse, type SpawnBridgeOptions, spawnBridge } from "./spawn-bridge.ts";

/** How long another bridge may own the home without answering. */
const HELD_MS = 10_000;
const LOOK_AGAIN_MS = 100;

export interface BridgeSupervisorOptions extends SpawnBridgeOptions {
	/** Messages to the user about the bridge. */
	readonly onNote: (words: string) => void;
	/** Reports a problem to pages; undefined once the bridge has recovered. */
	readonly onTrouble?: (trouble: BridgeTrouble | undefined) => void;
	readonly pulse?: PulseBounds;
	/** If absent, the bridge is always checked at the same interval. */
	readonly rest?: Rest;
}

/**
 * Keeps a bridge running in a home for as long as the app runs: takes over a running bridge or starts one, checks that it answers, ends its
 * own bridge if it no longer does, and restarts it whenever it has ended.
 */
export class BridgeSupervisor {
	readonly #options: BridgeSupervisorOptions;
	readonly #stopping = new AbortController();
	readonly #stopped: Promise<void>;
	readonly #pace = new RestartPace();
	readonly #watching: Promise<void>;
	#bridge: BridgeProcess;
	#startedAt = performance.now();
	/** True from the end of the bridge's process until there is another one. */
	#hasEnded = false;
	/** Present while a caller waits for a restart that it requested. */
	#wanted: PromiseWithResolvers<void> | undefined;
	/** Ends the pause before a start. */
	#hurry = new AbortController();
	#trouble: BridgeTrouble | undefined;
	#isLeft = false;

	private constructor(options: BridgeSupervisorOptions, bridge: BridgeProcess) {
		this.#options = options;
		this.#bridge = bridge;
		this.#stopped = new Promise((resolve) => this.#stopping.signal.addEventListener("abort", () => resolve(), { once: true }));
		this.#watching = this.#keep();
	}

	/**
	 * Takes over or starts a bridge. If another bridge owns the home but does not answer yet, it is starting or ending, so this call waits
	 * for it.
	 * @throws AppError BRIDGE_NOT_RUNNING if none is running and the first one cannot be started, a problem that the user has to fix
	 */
	static async open(options: BridgeSupervisorOptions): Promise<BridgeSupervisor> {
		for (const until = performance.now() + HELD_MS; ; await delay(LOOK_AGAIN_MS)) {
			try {
				return new BridgeSupervisor(options, (await adoptBridge(options.home)) ?? (await spawnBridge(options)));
			} catch (error) {
				if (!(error instanceof BridgeHomeInUse) || performance.now() > until) throw error;
			}
		}
	}

	/** True while a bridge that the user started runs in the home. The app leaves it alone, and can't restart it. */
	get startedByUser(): boolean {
		return !this.#bridge.own && !this.#hasEnded;
	}

	/** False for a bridge that the user started, which is left alone. */
	get isOwn(): boolean {
		return this.#bridge.own;
	}

	get endpoint(): Endpoint {
		return this.#bridge.endpoint;
	}

	/** Ends the bridge if an app of this home started it, unless it was left running. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		if (this.#isLeft) return await this.#watching;
		await this.#bridge.stop();
		await this.#watching;
		await forgetOwnBridge(this.#options.home);
	}

	/**
	 * Ends the bridge and starts it again, without any pause. Resolves once it is listening.
	 * @throws AppError BRIDGE_NOT_OWN; BRIDGE_NOT_RUNNING if this start fails, after which the supervisor tries again
	 */
	async restart(): Promise<void> {
		if (this.#stopping.signal.aborted) throw notRunning();
		if (this.startedByUser)
			throw new AppError(
				"BRIDGE_NOT_OWN",
				"This app did not start the bridge, so it can't restart it.",
				"Restart the bridge where it was started.",
			);
		this.#wanted ??= Promise.withResolvers();
		const { promise } = this.#wanted;
		// A failure while the old process is being stopped must not count as unhandled. Callers receive it from `await promise` below.
		promise.catch(() => undefined);
		this.#hurry.abort();
		// A problem that is already shown, such as why the last start failed, must not be hidden.
		if (this.#trouble === undefined) {
			this.#trouble = { what: "restarting", own: true };
			this.#options.onTrouble?.(this.#trouble);
		}
		await this.#bridge.stop();
		await promise;
	}

	/** Leaves the bridge running for its runs. The next app of this home takes it over. */
	leave(): void {
		this.#isLeft = true;
		this.#stopping.abort();
	}

	async #keep(): Promise<void> {
		const { signal } = this.#stopping;
		while (!signal.aborted) {
			await this.#whileItRuns();
			this.#hasEnded = true;
			if (!signal.aborted) await this.#startAgain();
		}
		this.#wanted?.reject(notRunning());
	}

	/** Resolves when the bridge's process has ended or the supervisor stops. */
	async #whileItRuns(): Promise<void> {
		const bridge = this.#bridge;
		const gone = new AbortController();
		const listening = this.#listen(bridge, AbortSignal.any([gone.signal, this.#stopping.signal]));
		await Promise.race([bridge.exited, this.#stopped]);
		gone.abort();
		await listening;
		this.#pace.ran(performance.now() - this.#startedAt);
	}

	/** Reports a bridge that does not answer, and ends it if an app of this home started it. */
	async #listen(bridge: BridgeProcess, signal: AbortSignal): Promise<void> {
		const { own, endpoint } = bridge;
		const ask = (asked: AbortSignal) => askAlive(endpoint.url, asked);
		const pulse = this.#options.pulse ?? pulseBounds;
		while ((await untilSilent(ask, signal, pulse, this.#options.rest)) === "silent") {
			this.#tell({ what: "silent", own });
			if (own) return await bridge.end();
			while (!signal.aborted && (await ask(AbortSignal.any([signal, AbortSignal.timeout(pulse.answerMs)]))) !== "answered") {
				await delay(pulse.everyMs, undefined, { signal }).catch(() => undefined);
			}
			if (!signal.aborted) this.#tellWell("The bridge is responding again.");
		}
	}

	/** Tries to start the bridge until it runs or the supervisor stops. */
	async #startAgain(): Promise<void> {
		const { signal } = this.#stopping;
		let failure: string | undefined;
		while (!signal.aborted) {
			await this.#pause(failure);
			if (signal.aborted) return;
			try {
				this.#bridge = (await adoptBridge(this.#options.home)) ?? (await spawnBridge({ ...this.#options, signal }));
				this.#startedAt = performance.now();
				this.#hasEnded = false;
				if (signal.aborted) return await this.#bridge.stop();
				this.#tellWell(this.#wanted === undefined ? "The bridge is running again." : undefined);
				this.#wanted?.resolve();
				this.#wanted = undefined;
				return;
			} catch (error) {
				failure = errorMessage(error);
				this.#wanted?.reject(error);
				this.#wanted = undefined;
			}
		}
	}

	async #pause(failure: string | undefined): Promise<void> {
		if (this.#wanted !== undefined) return this.#options.onNote("Restarting the bridge.");
		const { attempt, afterMs } = this.#pace.next();
		const startsAt = new Date(Date.now() + afterMs).toISOString();
		const what = failure === undefined ? "ended" : "start_failed";
		const isUsers = what === "ended" && !this.#bridge.own;
		const more = { ...omitUndefined({ message: failure }), ...(isUsers && { startedByUser: true as const }) };
		this.#tell({ what, own: true, attempt, startsAt, ...more }, afterMs);
		this.#hurry = new AbortController();
		const signal = AbortSignal.any([this.#hurry.signal, this.#stopping.signal]);
		await delay(afterMs, undefined, { signal }).catch(() => undefined);
		const { startsAt: _passed, ...trouble } = this.#trouble ?? { what, own: true };
		this.#trouble = trouble;
		this.#options.onTrouble?.(trouble);
	}

	#tell(trouble: BridgeTrouble, afterMs = 0): void {
		// The end of a bridge that was already silent is not printed, unless there is a pause before the restart. Pages always learn of the
		// end.
		const isKnown = this.#trouble?.what === "silent" && trouble.what === "ended" && afterMs < SOON_MS;
		if (!isKnown) this.#options.onNote(troubleWords(trouble, afterMs));
		this.#trouble = trouble;
		this.#options.onTrouble?.(trouble);
	}

	#tellWell(words: string | undefined): void {
		if (words !== undefined) this.#options.onNote(words);
		this.#trouble = undefined;
		this.#options.onTrouble?.(undefined);
	}
}

function notRunning(): AppError {
	return new AppError("BRIDGE_NOT_RUNNING", "The bridge has stopped.", `Read the bridge's log: ${commandLine("logs")}`);
}
