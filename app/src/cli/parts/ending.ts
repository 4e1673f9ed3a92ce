/** What a signal requests from a command: to stop, to exit at once, or nothing new. */
export type Asked = "stop" | "leave" | "nothing";

/** The signals that ask a command to end. */
export class Ending {
	#by: NodeJS.Signals | undefined;

	/** The signal that is ending the command. */
	get by(): NodeJS.Signals | undefined {
		return this.#by;
	}

	/**
	 * The first signal asks for a stop; a second Ctrl+C exits at once. Repeats of other signals are ignored, because npm may pass one on
	 * several times. If Ctrl+C makes another process send SIGTERM, that SIGTERM may be handled before the Ctrl+C itself, so a SIGINT after it
	 * counts as the first Ctrl+C.
	 */
	signal(signal: NodeJS.Signals): Asked {
		if (this.#by === "SIGINT" && signal === "SIGINT") return "leave";
		const isFirst = this.#by === undefined;
		if (isFirst || signal === "SIGINT") this.#by = signal;
		return isFirst ? "stop" : "nothing";
	}
}
