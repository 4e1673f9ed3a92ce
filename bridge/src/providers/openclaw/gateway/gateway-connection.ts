import { sentence, spanWords } from "@xworkmate/contracts";
import { type ConnectProblem, connectProblem, type GatewayPlace } from "./connect-problem.ts";
import type { GatewayBounds } from "./gateway-bounds.ts";
import { GatewayLost, isPassing } from "./gateway-error.ts";
import { type GatewayAccess, GatewayLink } from "./gateway-link.ts";

export interface GatewayLog {
	info(facts: object, message: string): void;
	warn(facts: object, message: string): void;
	debug(facts: object, message: string): void;
}

export interface ConnectionDeps {
	/** Called before every attempt, because the identity is created on demand. */
	readonly access: () => Promise<GatewayAccess>;
	/** How error messages refer to the gateway and its settings. */
	readonly place: GatewayPlace;
	readonly bounds: GatewayBounds;
	readonly log: GatewayLog;
}

export interface GatewayListener {
	onEvent(event: string, payload: unknown): void;
	/** A new connection is open. Events sent while there was none are lost. */
	onLink(link: GatewayLink): void;
	/** The connection is lost, and a new one is being opened. */
	onLoss(): void;
}

/** This bridge's only connection to its gateway; it is reopened for as long as the bridge lives. */
export class GatewayConnection {
	readonly #deps: ConnectionDeps;
	readonly #listener: GatewayListener;
	readonly #closing = new AbortController();
	#link: GatewayLink | undefined;
	#problem: ConnectProblem | undefined;
	#next = Promise.withResolvers<GatewayLink>();
	#attempted = Promise.withResolvers<void>();
	#hurry = Promise.withResolvers<void>();
	/** The earliest time at which the next attempt may begin, by `performance.now`. */
	#earliest = 0;
	#running: Promise<void> | undefined;

	constructor(deps: ConnectionDeps, listener: GatewayListener) {
		this.#deps = deps;
		this.#listener = listener;
	}

	get link(): GatewayLink | undefined {
		return this.#link;
	}

	/** Why there is no connection. */
	get problem(): ConnectProblem | undefined {
		return this.#problem;
	}

	start(): void {
		this.#running ??= this.#run();
	}

	/**
	 * Reconnects as soon as an attempt may begin. Settles after that attempt, or after `ms`; at once if no attempt may begin within `ms`,
	 * because the last one was too recent.
	 */
	async attempt(ms: number): Promise<void> {
		if (this.#link !== undefined) return;
		this.#hurry.resolve();
		if (this.#earliest - performance.now() > ms) return;
		await within(this.#attempted.promise, ms);
	}

	/**
	 * Runs `work` on a connection, and repeats it while the gateway is unavailable; `work` must be idempotent.
	 * @throws GatewayLost after `lostMs` without the gateway, or if the connection was closed; the reason of `stop`; any other
	 * error of `work`, such as a refusal
	 */
	async persist<T>(work: (link: GatewayLink) => Promise<T>, stop?: AbortSignal): Promise<T> {
		const { lostMs, requestMs, retryMs, retryMaxMs } = this.#deps.bounds;
		let since = performance.now();
		let said = "It isn't responding.";
		for (let failures = 0; ; failures++) {
			const link = await this.#linked(lostMs - (performance.now() - since), said, stop);
			const began = performance.now();
			try {
				return await work(link);
			} catch (error) {
				if (!isPassing(error)) throw error;
				said = sentence(error instanceof Error ? error.message : said);
				stop?.throwIfAborted();
				// Work that took longer than one call may take had a connection for a while, so the time without the gateway starts again here.
				if (performance.now() - began > requestMs) since = performance.now();
				await pause(jittered(Math.min(retryMs * 2 ** failures, retryMaxMs)), stop);
			}
		}
	}

	/** Closes the connection permanently; pending waits reject. */
	async close(): Promise<void> {
		this.#closing.abort(new GatewayLost("The bridge has closed its connection to the gateway."));
		this.#link?.terminate("was closed by the bridge");
		await this.#running;
	}

	/** Waits for a connection and returns it. */
	async #linked(ms: number, said: string, stop: AbortSignal | undefined): Promise<GatewayLink> {
		if (this.#link !== undefined && ms > 0) return this.#link;
		const link = ms <= 0 ? undefined : await within(this.#next.promise, ms, stop, this.#closing.signal);
		if (link !== undefined) return link;
		stop?.throwIfAborted();
		this.#closing.signal.throwIfAborted();
		const why = this.#problem?.unavailable.message ?? said;
		throw new GatewayLost(`The gateway was unavailable for ${spanWords(this.#deps.bounds.lostMs)}. ${why}`);
	}

	async #run(): Promise<void> {
		const { signal } = this.#closing;
		for (let failures = 0; !signal.aborted; ) {
			const opened = await this.#open();
			if (opened === undefined) {
				await this.#wait(failures++);
				continue;
			}
			failures = 0;
			this.#take(opened);
			const { message } = await opened.closed;
			this.#link = undefined;
			if (signal.aborted) return;
			this.#problem = connectProblem(new Error(message), this.#deps.place);
			this.#deps.log.warn({ reason: message }, "the connection to the gateway was lost");
			this.#listener.onLoss();
		}
	}

	async #open(): Promise<GatewayLink | undefined> {
		const { access, bounds, place, log } = this.#deps;
		try {
			const listener = { onEvent: (event: string, payload: unknown) => this.#listener.onEvent(event, payload) };
			return await GatewayLink.open(await access(), bounds, listener, this.#closing.signal);
		} catch (error) {
			const before = this.#problem?.unavailable;
			this.#problem = connectProblem(error, place);
			const { code, message } = this.#problem.unavailable;
			// Logged only when the reason changes: otherwise, a gateway that stays unavailable would fill the log.
			if (before?.code !== code && !this.#closing.signal.aborted) log.warn({ code }, message);
			this.#attempted.resolve();
			this.#attempted = Promise.withResolvers();
			return undefined;
		}
	}

	#take(link: GatewayLink): void {
		this.#link = link;
		this.#problem = undefined;
		const { version, bootId } = link.hello.server;
		this.#deps.log.info({ version, bootId }, "connected to the gateway");
		this.#next.resolve(link);
		this.#next = Promise.withResolvers();
		this.#attempted.resolve();
		this.#attempted = Promise.withResolvers();
		this.#listener.onLink(link);
	}

	async #wait(failures: number): Promise<void> {
		const { retryMs, retryMaxMs, refusedRetryMs } = this.#deps.bounds;
		const isSlow = this.#problem?.retriesSlowly ?? false;
		const backoff = isSlow ? refusedRetryMs : Math.min(retryMs * 2 ** Math.min(failures, 16), retryMaxMs);
		const ms = Math.max(jittered(backoff), this.#problem?.retryAfterMs ?? 0);
		this.#hurry = Promise.withResolvers();
		// Requested attempts are delayed too, because constantly retrying a wrong token would lock this computer out.
		const least = Math.min(ms, isSlow ? refusedRetryMs / 6 : retryMs);
		this.#earliest = performance.now() + least;
		await within(new Promise<never>(() => {}), least, this.#closing.signal);
		await within(this.#hurry.promise, ms - least, this.#closing.signal);
	}
}

/** A random delay between half and all of `ms`, so that many clients do not reconnect at once. */
function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}

/** Resolves to the value, or to undefined after `ms` or when a signal ends the wait. Removes its listeners. */
async function within<T>(value: Promise<T>, ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<T | undefined> {
	const ended = Promise.withResolvers<undefined>();
	const end = () => ended.resolve(undefined);
	const timer = setTimeout(end, Math.max(ms, 0));
	for (const signal of signals) signal?.addEventListener("abort", end, { once: true });
	if (signals.some((signal) => signal?.aborted)) end();
	try {
		return await Promise.race([value, ended.promise]);
	} finally {
		clearTimeout(timer);
		for (const signal of signals) signal?.removeEventListener("abort", end);
	}
}

/** @throws the reason of `stop` */
async function pause(ms: number, stop: AbortSignal | undefined): Promise<void> {
	await within(new Promise<never>(() => {}), ms, stop);
	stop?.throwIfAborted();
}
