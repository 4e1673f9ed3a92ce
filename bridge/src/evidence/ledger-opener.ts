import type { LedgerEnd } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { LedgerEndStore } from "../ports/tools/receipt-store.ts";
import { type LedgerFault, LedgerFile } from "./ledger-file.ts";

export interface LedgerOpenerOptions {
	/** The folder of the ledger and its key. */
	readonly folder: string;
	readonly ends: LedgerEndStore;
	readonly clock: Clock;
	/** Called with the fault found in the ledger, which is then continued with a new key. */
	readonly onFault: (fault: LedgerFault) => void;
	/** Called when the ledger's end cannot be saved to the database. */
	readonly onError: (error: unknown) => void;
}

/** Opens the ledger once, no matter how many callers request it at the same time. */
export class LedgerOpener {
	readonly #options: LedgerOpenerOptions;
	#file: LedgerFile | undefined;
	#opening: Promise<LedgerFile> | undefined;

	constructor(options: LedgerOpenerOptions) {
		this.#options = options;
	}

	/** The open ledger; undefined until it has been opened. */
	get file(): LedgerFile | undefined {
		return this.#file;
	}

	/** @throws the error of the file system, of the key or of the store */
	open(): Promise<LedgerFile> {
		this.#opening ??= this.#openFile().finally(() => {
			this.#opening = undefined;
		});
		return this.#opening;
	}

	/** Saves the ledger's end to the database. If that fails, the ledger is ahead of the database until the next line is written. */
	async saveEnd(end: LedgerEnd): Promise<void> {
		await this.#options.ends.write(end).catch((error: unknown) => this.#options.onError(error));
	}

	async #openFile(): Promise<LedgerFile> {
		if (this.#file !== undefined) return this.#file;
		const { folder, ends, clock, onFault } = this.#options;
		const { ledger, fault } = await LedgerFile.open(folder, await ends.read(), timestamp(clock.now()));
		this.#file = ledger;
		if (fault !== undefined) onFault(fault);
		await this.saveEnd(ledger.end);
		return ledger;
	}
}
