import { type ChildProcess, execFile } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AppError } from "../errors/app-error.ts";
import { damagedDatabase, WHOLE_CHECK_BYTES } from "./app-database.ts";

const PROGRAM = fileURLToPath(new URL("check-main.ts", import.meta.url));

/**
 * True when the last process did not close the database and the file is too large to be checked as a whole while the app starts. The
 * write-ahead log is removed when the database is closed. Asked before it is opened.
 */
export function needsCheck(path: string): boolean {
	const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	return size(`${path}-wal`) > 0 && size(path) > WHOLE_CHECK_BYTES;
}

/** Checks a database that is in use, in a process of its own. */
export class DatabaseCheck {
	readonly #path: string;
	readonly #fault: (error: unknown) => void;
	#program: ChildProcess | undefined;
	#damage: AppError | undefined;

	constructor(path: string, fault: (error: unknown) => void) {
		this.#path = path;
		this.#fault = fault;
	}

	/** What was found, if the database is damaged. */
	get damage(): AppError | undefined {
		return this.#damage;
	}

	/** Settles when the check has ended. */
	run(): Promise<void> {
		return new Promise((resolve) => {
			this.#program = execFile(process.execPath, [PROGRAM, this.#path], (error, problem) => {
				this.#ended(error, problem);
				resolve();
			});
			this.#program.unref();
		});
	}

	#ended(error: Error | null, problem: string): void {
		if (problem !== "") this.#damage = damagedDatabase(this.#path, new Error(problem));
		const told = this.#damage ?? (this.#program?.killed ? null : error);
		if (told !== null) this.#fault(told);
	}

	close(): void {
		this.#program?.kill("SIGKILL");
	}
}
