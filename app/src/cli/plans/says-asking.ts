import type { Occurrence, OccurrenceId, RunId } from "@xworkmate/contracts";
import { runStateOf } from "../../text/plans/plan-runs.ts";
import { askedRuns } from "../parts/asked-runs.ts";
import type { Output } from "../parts/output.ts";
import { askingLine } from "./still-running.ts";

/** How often the bridge is asked for requests: a plan's log doesn't contain them. */
const ASK_EVERY_MS = 5_000;

/** While a plan is followed, says of each run whenever its agent begins to wait for the user's answer. */
export class SaysAsking implements Disposable {
	readonly #output: Output;
	/** The newest state of each occurrence, as far as the log has been read. */
	readonly #known = new Map<OccurrenceId, Occurrence>();
	readonly #said = new Set<RunId>();
	readonly #timer: NodeJS.Timeout;
	#isAsking = false;

	constructor(output: Output) {
		this.#output = output;
		this.#timer = setInterval(() => void this.#ask(), ASK_EVERY_MS).unref();
	}

	saw(occurrence: Occurrence): void {
		this.#known.set(occurrence.occurrenceId, occurrence);
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer);
		this.#known.clear();
	}

	async #ask(): Promise<void> {
		const isAtWork = () => [...this.#known.values()].some(({ status }) => status === "running");
		if (this.#isAsking || !isAtWork()) return;
		this.#isAsking = true;
		const asked = await askedRuns(this.#output, true);
		this.#isAsking = false;
		if (asked === undefined) return;
		// A run that was answered and asks again is said again.
		for (const runId of this.#said) if (!asked.has(runId)) this.#said.delete(runId);
		for (const occurrence of this.#known.values()) {
			const runId = occurrence.runs.at(-1)?.runId;
			if (runId === undefined || this.#said.has(runId) || runStateOf(occurrence, { active: [], asked }) !== "asks") continue;
			this.#said.add(runId);
			this.#output.console.note(`· ${askingLine()}`);
		}
	}
}
