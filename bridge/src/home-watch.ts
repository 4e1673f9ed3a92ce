import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ContractError } from "@xworkmate/contracts";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import type { RunLogStore } from "./ports/run-store.ts";
import { StoreError } from "./store/store-error.ts";

const LOOK_EVERY_MS = 2_000;

interface Identity {
	readonly dev: number;
	readonly ino: number;
}

/**
 * Notices when the file behind an open database is no longer the one at its path: the home was deleted, moved or
 * unmounted. SQLite continues writing to such a file, and everything written is lost with the process.
 */
export class HomeWatch implements Disposable {
	readonly #file: string;
	readonly #opened: Identity;
	readonly #onGone: (error: StoreError) => void;
	readonly #timer: NodeJS.Timeout;
	#error: StoreError | undefined;

	/** `file` is open. `onGone` is called once. */
	constructor(file: string, onGone: (error: StoreError) => void, everyMs = LOOK_EVERY_MS) {
		this.#file = file;
		this.#onGone = onGone;
		this.#opened = statSync(file);
		this.#timer = setInterval(() => void this.#look(), everyMs).unref();
	}

	/** Looks now. @throws StoreError HOME_GONE */
	check(): void {
		try {
			this.#compare(statSync(this.#file));
		} catch (error) {
			this.#failed(error);
		}
		if (this.#error !== undefined) throw this.#error;
	}

	/** Looks now. */
	get isThere(): boolean {
		try {
			this.check();
			return true;
		} catch {
			return false;
		}
	}

	/** The log, which takes nothing any more once its file is gone: no run is accepted, and none is called completed. */
	guard(log: RunLogStore): RunLogStore {
		return {
			...log,
			append: async (batch) => {
				this.#refuse();
				await log.append(batch);
			},
			insertRun: async (record, append) => {
				this.#refuse();
				return log.insertRun(record, append);
			},
		};
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer);
	}

	#refuse(): void {
		try {
			this.check();
		} catch (cause) {
			const detail = "The bridge is stopping because its files were deleted, moved or unmounted while it was running.";
			throw new ContractError("INTERNAL", { detail, fix: "Put its home back, then start the bridge again.", cause });
		}
	}

	async #look(): Promise<void> {
		try {
			this.#compare(await stat(this.#file));
		} catch (error) {
			this.#failed(error);
		}
	}

	#compare({ dev, ino }: Identity): void {
		if (dev !== this.#opened.dev || ino !== this.#opened.ino) this.#gone();
	}

	#failed(error: unknown): void {
		const code = systemErrorCode(error);
		// Too many open files, or a folder closed to its owner for a moment, say nothing about where the file is.
		if (isGoneCode(code)) this.#gone();
	}

	#gone(): void {
		if (this.#error !== undefined) return;
		clearInterval(this.#timer);
		this.#error = new StoreError("HOME_GONE", `${this.#file} was deleted, moved or unmounted while the bridge was running.`, {
			file: this.#file,
			fix: "Put its folder back before you start again. Without it, the next start creates an empty one.",
		});
		this.#onGone(this.#error);
	}
}
