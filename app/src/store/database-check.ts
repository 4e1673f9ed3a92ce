import { statSync } from "node:fs";
import { checkDatabase, WHOLE_CHECK_BYTES } from "@xworkmate/platform/sqlite";
import type { AppError } from "../errors/app-error.ts";
import { damagedDatabase } from "./app-database.ts";

/**
 * True if the last process did not close the database, and the file is too large for a full check during the app's start. Call this before
 * the database is opened. (Closing it removes the write-ahead log.)
 */
export function needsCheck(path: string): boolean {
	const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	return size(`${path}-wal`) > 0 && size(path) > WHOLE_CHECK_BYTES;
}

/** Checks a database while it is in use. */
export class DatabaseCheck {
	readonly #path: string;
	readonly #fault: (error: unknown) => void;
	readonly #stop = new AbortController();
	#damage: AppError | undefined;

	constructor(path: string, fault: (error: unknown) => void) {
		this.#path = path;
		this.#fault = fault;
	}

	/** The damage that was found, if any. */
	get damage(): AppError | undefined {
		return this.#damage;
	}

	/** Settles when the check has ended. */
	async run(): Promise<void> {
		try {
			const problem = await checkDatabase(this.#path, this.#stop.signal);
			if (problem === undefined) return;
			this.#damage = damagedDatabase(this.#path, new Error(problem));
			this.#fault(this.#damage);
		} catch (error) {
			if (!this.#stop.signal.aborted) this.#fault(error);
		}
	}

	close(): void {
		this.#stop.abort();
	}
}
