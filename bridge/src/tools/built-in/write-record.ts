import type { RejectionReason } from "@xworkmate/contracts";
import type { TurnSink } from "../../ports/agents/provider.ts";
import type { ProviderUpdate } from "../../ports/runs/run-event.ts";
import { shownPath } from "./shown-path.ts";

const MAX_TOLD = 100;

/** Counts writes and reports refusals. Each refusal becomes a rejected artifact and a notice, up to a hundred. */
export class WriteRecord {
	readonly #sink: TurnSink;
	readonly #show: (update: ProviderUpdate) => Promise<void>;
	#written = 0;
	#refused = 0;
	#waited = false;
	#firstRefusal: string | undefined;

	constructor(sink: TurnSink, show: (update: ProviderUpdate) => Promise<void>) {
		this.#sink = sink;
		this.#show = show;
	}

	/** How many writes succeeded: a file that is written twice counts twice. */
	get count(): number {
		return this.#written;
	}

	written(): void {
		this.#written += 1;
	}

	async refused(path: string, reason: RejectionReason, why: string): Promise<void> {
		const message = `${shownPath(path)} was not written: ${why}.`;
		this.#refused += 1;
		this.#firstRefusal ??= message;
		if (this.#refused > MAX_TOLD + 1) return;
		if (this.#refused > MAX_TOLD) return this.#notice("Further refused writes are not listed.");
		this.#sink.rejectArtifact({ path: shownPath(path), reason });
		await this.#notice(message);
	}

	/**
	 * Reports the first time that a write has to wait for space. Later waits are not reported, because the log is usually on the same disk
	 * and can't be written until there is space.
	 */
	async waited(): Promise<void> {
		if (this.#waited) return;
		this.#waited = true;
		await this.#notice("The disk was full, so writing a file had to wait for space.", "DISK_FULL");
	}

	/** Why nothing was written; undefined if something was written, or if no write was refused. */
	get failure(): string | undefined {
		return this.#written === 0 ? this.#firstRefusal : undefined;
	}

	async #notice(message: string, code = "WRITE_REFUSED"): Promise<void> {
		await this.#show({ kind: "notice", level: "warning", code, message });
	}
}
