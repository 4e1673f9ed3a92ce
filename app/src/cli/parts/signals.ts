import { constants } from "node:os";
import { exitCode } from "../words/exit-code.ts";
import { Ending } from "./ending.ts";

interface Interrupted {
	readonly stop: (signal: NodeJS.Signals) => void;
	/** Says what continues without this process. */
	readonly leave: (() => void) | undefined;
}

/** If a signal ended a program, a shell reports this number plus the signal's number as the exit code. */
export const SIGNAL_BASE = 128;

/** What the process does when it is asked to end: it stops what a command has begun, or says what continues, and exits. */
export class Signals {
	readonly #interrupted = new Set<Interrupted>();
	/** Called before a signal ends a command that has nothing to stop. */
	readonly #leaving = new Set<() => void>();
	readonly #ending = new Ending();
	#wasInterruptible = false;

	readonly handle = (signal: NodeJS.Signals): void => {
		// Exits as if the signal had no handler, because nothing has begun whose outcome the exit code could report.
		if (!this.#wasInterruptible) {
			for (const say of this.#leaving) say();
			process.exit(SIGNAL_BASE + constants.signals[signal]);
		}
		const asked = this.#ending.signal(signal);
		if (asked === "leave") {
			for (const { leave } of this.#interrupted) leave?.();
			// What was asked to stop, such as a run, may continue, so its outcome is unknown. If nothing is left to stop, only the app is being
			// closed.
			process.exit(this.#interrupted.size > 0 ? exitCode.interrupted : (process.exitCode ?? exitCode.cancelled));
		}
		if (asked === "stop") for (const { stop } of [...this.#interrupted]) stop(signal);
	};

	/** Registers callbacks for a signal. If a signal has already arrived, `stop` is called at once. */
	readonly onInterrupt = (stop: (signal: NodeJS.Signals) => void, leave?: () => void): (() => void) => {
		const entry = { stop, leave };
		this.#wasInterruptible = true;
		this.#interrupted.add(entry);
		if (this.#ending.by !== undefined) stop(this.#ending.by);
		return () => this.#interrupted.delete(entry);
	};

	/** Registers what to say before a signal ends a command that only follows something. */
	readonly onLeave = (say: () => void): (() => void) => {
		this.#leaving.add(say);
		return () => this.#leaving.delete(say);
	};

	/** Resolves with the first SIGINT, SIGTERM or SIGHUP (sent when the terminal is closed). */
	readonly stopped = (): Promise<NodeJS.Signals> =>
		new Promise((resolve) => {
			this.onInterrupt(resolve);
		});
}
