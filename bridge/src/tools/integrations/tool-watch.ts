import { type FSWatcher, watch } from "node:fs";

export interface ToolWatchOptions {
	/** Called once for changes that arrive together. The next call waits until this one has settled. */
	readonly changed: () => Promise<void>;
	/** How long after the last change `changed` is called. Default 100 ms. */
	readonly quietMs?: number;
	/** The interval between checks where the system does not report changes. Default 2 s. */
	readonly pollMs?: number;
}

const QUIET_MS = 100;
/** The longest time that constant changes can delay a reload. */
const LATEST_MS = 1_000;
const POLL_MS = 2_000;

/**
 * Watches folders one by one, because some systems implement a recursive watch with one watch for each file below, however many there are.
 */
export class ToolWatch implements Disposable {
	readonly #options: ToolWatchOptions;
	readonly #watchers = new Map<string, FSWatcher>();
	#timer: NodeJS.Timeout | undefined;
	#firstAt: number | undefined;
	#poll: NodeJS.Timeout | undefined;
	#isReloading = false;
	#isAgain = false;
	#isClosed = false;

	constructor(options: ToolWatchOptions) {
		this.#options = options;
	}

	/**
	 * Watches exactly these folders. True if one of them was not watched before: its earlier changes were missed, so it must be read again.
	 */
	follow(folders: readonly string[]): boolean {
		const wanted = new Set(folders);
		for (const [folder, watcher] of this.#watchers) {
			if (wanted.has(folder)) continue;
			watcher.close();
			this.#watchers.delete(folder);
		}
		const added = folders.filter((folder) => !this.#watchers.has(folder) && this.#add(folder));
		return added.length > 0;
	}

	[Symbol.dispose](): void {
		this.#isClosed = true;
		clearTimeout(this.#timer);
		clearInterval(this.#poll);
		for (const watcher of this.#watchers.values()) watcher.close();
	}

	#add(folder: string): boolean {
		if (this.#isClosed) return false;
		try {
			const watcher = watch(folder, { persistent: false }, () => this.#heard());
			watcher.on("error", () => this.#lose(folder));
			this.#watchers.set(folder, watcher);
			return true;
		} catch {
			// The folder is already gone, or the system has no watches left.
			this.#look();
			return false;
		}
	}

	#lose(folder: string): void {
		this.#watchers.get(folder)?.close();
		this.#watchers.delete(folder);
		this.#look();
		this.#heard();
	}

	#look(): void {
		if (!this.#isClosed) this.#poll ??= setInterval(() => this.#heard(), this.#options.pollMs ?? POLL_MS).unref();
	}

	#heard(): void {
		if (this.#isClosed) return;
		this.#firstAt ??= performance.now();
		const latest = this.#firstAt + LATEST_MS - performance.now();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.#reload(), Math.max(0, Math.min(this.#options.quietMs ?? QUIET_MS, latest))).unref();
	}

	async #reload(): Promise<void> {
		this.#firstAt = undefined;
		this.#isAgain = this.#isReloading;
		if (this.#isReloading) return;
		this.#isReloading = true;
		await this.#options.changed();
		this.#isReloading = false;
		if (this.#isAgain) this.#heard();
	}
}
