import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ContractError } from "@xworkmate/contracts";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import type { RunLogStore } from "./ports/runs/run-store.ts";
import { StoreError } from "./store/store-error.ts";

const LOOK_EVERY_MS = 2_000;

interface Identity {
	readonly dev: number;
	readonly ino: number;
}

/**
 * Detects that the file of an open database is no longer at its path: the home was deleted, moved or unmounted. SQLite would continue to
 * write to such a file, and everything written would be lost with the process.
 */
export class HomeWatch implements Disposable {
	readonly #file: string;
	readonly #opened: Identity;
	readonly #onGone: (error: StoreError) => void;
	readonly #timer: NodeJS.Timeout;
	#error: StoreError | undefined;

	/** `file` is already open. `onGone` is called at most once. */
	constructor(file: string, onGone: (error: StoreError) => void, everyMs = LOOK_EVERY_MS) {
		this.#file = file;
		this.#onGone = onGone;
		this.#opened = statSync(file);
		this.#timer = setInterval(() => void this.#look(), everyMs).unref();
	}

	/**
	 * Checks now.
	 * @throws StoreError HOME_GONE
	 */
	check(): void {
		try {
			this.#compare(statSync(this.#file));
		} catch (error) {
			this.#failed(error);
		}
		if (this.#error !== undefined) throw this.#error;
	}

	/** Checks now and returns whether the file is there. */
	get isThere(): boolean {
		try {
			this.check();
			return true;
		} catch {
			return false;
		}
	}

	/** Wraps the log so that it refuses writes once its file is gone. No run is then accepted, and none is reported as completed. */
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
			throw new ContractError("INTERNAL", { detail, fix: "Put the bridge's data folder back, then start the bridge again.", cause });
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
		// Too many open files, or a folder that is briefly unreadable, do not mean that the file is gone.
		if (isGoneCode(code)) this.#gone();
	}

	#gone(): void {
		if (this.#error !== undefined) return;
		clearInterval(this.#timer);
		this.#error = new StoreError("HOME_GONE", `${this.#file} was deleted, moved or unmounted while the bridge was running.`, {
			file: this.#file,
			fix: "Put the data folder back before you start XWorkmate again. Otherwise, the next start creates an empty one.",
		});
		this.#onGone(this.#error);
	}
}
