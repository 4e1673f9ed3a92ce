import { join } from "node:path";
import type { IntegrationId, Sha256, ToolProblem } from "@xworkmate/contracts";
import { makeFolder } from "@xworkmate/platform/files";
import type { FrameProcessDeps } from "../../processes/frames/frame-process.ts";
import { type HostBounds, HostProcess, hostBounds } from "./host-process.ts";
import { type SourceFile, type ToolVersion, toolVersion } from "./tool-version.ts";

export interface HostPoolOptions extends FrameProcessDeps {
	/** How many processes may exist at once. */
	readonly maxHosts: number;
	/** Absolute path. Each integration has a folder in it. */
	readonly dataFolder: string;
	/** How long a process may be unused before it is ended. Default 5 minutes. */
	readonly idleMs?: number;
	/** How long a caller waits for a process while all are busy. Default 10 s. */
	readonly waitMs?: number;
	readonly bounds?: Partial<HostBounds>;
}

export type Opened =
	| { readonly kind: "opened"; readonly version: ToolVersion }
	| { readonly kind: "problems"; readonly problems: readonly ToolProblem[] };

/** No process was available; nothing was called. */
export class NoHostError extends Error {
	override readonly name = "NoHostError";
	readonly code = "HOST_LOST";
}

interface Slot {
	/** Absent while new sources are being loaded. */
	toolHash?: Sha256;
	/** The process, or why there is none. */
	readonly host: Promise<HostProcess | string>;
	users: number;
	/** True once the version is no longer current. */
	isRetired: boolean;
	idle?: NodeJS.Timeout;
}

const IDLE_MS = 5 * 60_000;
const WAIT_MS = 10_000;

/** The processes of integrations: one for each version in use, started when needed, ended when idle. */
export class HostPool {
	readonly #options: HostPoolOptions;
	readonly #bounds: HostBounds;
	/** Ordered by last use. */
	readonly #slots = new Set<Slot>();
	readonly #waiting: (() => void)[] = [];
	/** Processes that are loading. */
	readonly #loading = new Set<HostProcess>();
	/** Processes that are being ended. */
	readonly #ending = new Set<Promise<void>>();
	#running = 0;
	#isClosed = false;

	constructor(options: HostPoolOptions) {
		this.#options = options;
		this.#bounds = { ...hostBounds, ...options.bounds };
	}

	/** How many processes may exist. */
	get places(): number {
		return this.#options.maxHosts;
	}

	/** How many processes there are. */
	get size(): number {
		return this.#running;
	}

	/** Loads new sources, and keeps their process ready for a call. */
	async open(integration: IntegrationId, files: readonly SourceFile[]): Promise<Opened> {
		let opened: Opened | undefined;
		const slot = this.#start(integration, undefined, async (host, folder) => {
			const loaded = await host.load(integration, folder, files);
			opened = loaded.kind === "loaded" ? { kind: "opened", version: toolVersion(integration, files, loaded.tools) } : loaded;
			return loaded.kind === "loaded" ? undefined : { why: "it did not load", isPassing: loaded.isLate === true };
		});
		const host = await slot.host;
		if (opened?.kind === "opened") slot.toolHash = opened.version.toolHash;
		await this.#leave(slot);
		return (
			opened ?? { kind: "problems", problems: [{ code: "HOST_LOST", message: typeof host === "string" ? host : "Its process ended." }] }
		);
	}

	/**
	 * Uses the process of a version.
	 * @throws NoHostError
	 */
	async use<T>(version: ToolVersion, work: (host: HostProcess) => Promise<T>): Promise<T> {
		const slot = await this.#enter(version);
		try {
			const host = await slot.host;
			if (typeof host === "string") throw new NoHostError(host);
			return await work(host);
		} finally {
			await this.#leave(slot);
		}
	}

	/** Ends the processes of versions that are no longer current, each as soon as it is not in use. */
	retire(current: ReadonlySet<Sha256>): void {
		for (const slot of this.#slots) {
			if (slot.toolHash === undefined || current.has(slot.toolHash)) continue;
			slot.isRetired = true;
			if (slot.users === 0) void this.#end(slot, "its code was replaced");
		}
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		for (const host of this.#loading) void host.kill("the bridge is stopping");
		this.#wake();
		await Promise.all([...this.#slots].map((slot) => this.#end(slot, "the bridge is stopping")));
		await Promise.all(this.#ending);
	}

	async #enter(version: ToolVersion): Promise<Slot> {
		const { integration, files, toolHash } = version;
		for (const slot of this.#slots) {
			if (slot.toolHash !== toolHash || slot.isRetired) continue;
			slot.users += 1;
			clearTimeout(slot.idle);
			const host = await slot.host;
			if (typeof host === "string" || host.alive) return slot;
			await this.#leave(slot);
		}
		return this.#start(integration, toolHash, async (host, folder) => {
			const loaded = await host.load(integration, folder, files);
			if (loaded.kind === "problems") return { why: loaded.problems[0]?.message ?? "It did not load.", isPassing: loaded.isLate === true };
			// Code that declares different tools each time it is loaded could be called for tools that the user has not seen.
			if (toolVersion(integration, files, loaded.tools).toolHash === toolHash) return undefined;
			return { why: "It declared different tools than when it was first loaded.", isPassing: false };
		});
	}

	/** Creates a slot with the caller as its only user. */
	#start(integration: IntegrationId, toolHash: Sha256 | undefined, load: Load): Slot {
		const slot: Slot = {
			users: 1,
			isRetired: false,
			host: this.#begin(integration, load),
			...(toolHash === undefined ? {} : { toolHash }),
		};
		this.#slots.add(slot);
		return slot;
	}

	/**
	 * Starts a process. If that fails, or loading takes too long, it is tried once more. No tool has been called yet, so nothing can happen
	 * twice, and on a busy machine any start or import can be slow. Code that hangs will do so twice.
	 */
	async #begin(integration: IntegrationId, load: Load): Promise<HostProcess | string> {
		if (!(await this.#takesPlace())) return this.#isClosed ? "The bridge is stopping." : "All processes for tools are busy.";
		const first = await this.#try(integration, load);
		const last = first instanceof HostProcess || !first.isPassing || this.#isClosed ? first : await this.#try(integration, load);
		if (last instanceof HostProcess) return last;
		await this.#freed();
		return last.why;
	}

	/** A process that has loaded its sources, or why there is none. */
	async #try(integration: IntegrationId, load: Load): Promise<HostProcess | Unusable> {
		let host: HostProcess | undefined;
		try {
			const folder = join(this.#options.dataFolder, integration);
			makeFolder(folder);
			host = await HostProcess.start(integration, folder, this.#options, this.#bounds);
			this.#loading.add(host);
			const unusable = this.#isClosed ? { why: "The bridge is stopping.", isPassing: false } : await load(host, folder);
			if (unusable === undefined) return host;
			await host.kill("it did not load");
			return unusable;
		} catch (error) {
			await host?.kill("it could not be used");
			return { why: `Its process could not be started (${error instanceof Error ? error.message : "unknown"}).`, isPassing: true };
		} finally {
			if (host !== undefined) this.#loading.delete(host);
		}
	}

	/** Waits for room for one more process, and reserves it at once. False if there is none within the time limit. */
	async #takesPlace(): Promise<boolean> {
		const until = performance.now() + (this.#options.waitMs ?? WAIT_MS);
		while (!this.#isClosed) {
			if (this.#running < this.#options.maxHosts) {
				this.#running += 1;
				return true;
			}
			const idlest = [...this.#slots].find(({ users }) => users === 0);
			if (idlest !== undefined) {
				await this.#end(idlest, "it had to make room for another integration");
				continue;
			}
			const left = until - performance.now();
			if (left <= 0) return false;
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#waiting.push(resolve);
			const timer = setTimeout(resolve, left);
			await promise;
			clearTimeout(timer);
		}
		return false;
	}

	async #leave(slot: Slot): Promise<void> {
		slot.users -= 1;
		if (slot.users > 0) return;
		const host = await slot.host;
		if (slot.users > 0 || !this.#slots.has(slot)) return;
		if (typeof host === "string" || !host.alive || slot.isRetired) return this.#end(slot, "it is no longer needed");
		this.#slots.delete(slot);
		this.#slots.add(slot);
		clearTimeout(slot.idle);
		slot.idle = setTimeout(() => void this.#end(slot, "it was idle"), this.#options.idleMs ?? IDLE_MS).unref();
		this.#wake();
	}

	async #end(slot: Slot, why: string): Promise<void> {
		if (!this.#slots.delete(slot)) return;
		clearTimeout(slot.idle);
		const host = await slot.host;
		if (typeof host !== "string") await this.#freed(host.kill(why));
	}

	async #freed(end: Promise<void> = Promise.resolve()): Promise<void> {
		this.#ending.add(end);
		await end;
		this.#ending.delete(end);
		this.#running -= 1;
		this.#wake();
	}

	#wake(): void {
		for (const wake of this.#waiting.splice(0)) wake();
	}
}

/** Why a process cannot be used. `isPassing`: another attempt may succeed. */
interface Unusable {
	readonly why: string;
	readonly isPassing: boolean;
}

type Load = (host: HostProcess, folder: string) => Promise<Unusable | undefined>;
