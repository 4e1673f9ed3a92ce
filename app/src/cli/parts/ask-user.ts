import { createInterface } from "node:readline/promises";

/**
 * Asks on a terminal, one question at a time. Keep the instance open for a series of questions: a line that is typed before a question is
 * shown is then dropped instead of being taken for the answer.
 */
export class Questions implements Disposable {
	readonly #terminal = createInterface({ input: process.stdin, output: process.stderr, ...(isClosed() && { terminal: false }) });
	readonly #ended = Promise.withResolvers<undefined>();
	#isEnded = isClosed();

	/** @param onInterrupt called for Ctrl+C, which the terminal passes to the question and not to the process; if absent, the input ends */
	constructor(onInterrupt?: () => void) {
		const end = () => {
			this.#isEnded = true;
			this.#ended.resolve(undefined);
		};
		this.#terminal.once("close", end);
		// A closed terminal can't be read or reset. The error only ends the input, because SIGHUP already tells the process that the terminal
		// was closed.
		this.#terminal.on("error", end);
		if (onInterrupt !== undefined) this.#terminal.on("SIGINT", onInterrupt);
	}

	/** Asks until the user types one of the keys; undefined if the input ends or `signal` is aborted. */
	async ask(question: string, keys: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
		// Ends the question's line, so that the next output starts on a new line.
		const leave = () => process.stderr.write("\n");
		signal?.addEventListener("abort", leave);
		try {
			while (!this.#isEnded) {
				const asked = this.#terminal.question(question, signal === undefined ? {} : { signal });
				const answer = await Promise.race([asked, this.#ended.promise]);
				const key = answer?.trim().toLowerCase()[0] ?? "";
				if (answer !== undefined && keys.includes(key)) return key;
			}
			return undefined;
		} catch (error) {
			if (this.#isEnded || signal?.aborted === true) return undefined;
			throw error;
		} finally {
			signal?.removeEventListener("abort", leave);
		}
	}

	/** Shows the open question again, with what has been typed so far. */
	redraw(): void {
		if (!this.#isEnded) this.#terminal.prompt(true);
	}

	[Symbol.dispose](): void {
		this.#terminal.close();
	}
}

/** True once the input has ended permanently, as when its terminal was closed. The settings of a closed terminal can't be changed. */
function isClosed(): boolean {
	return process.stdin.readableEnded || process.stdin.destroyed;
}

/** Asks on a terminal until the user types one of the keys; undefined if the input ends. */
export async function askKey(question: string, keys: readonly string[]): Promise<string | undefined> {
	using questions = new Questions();
	return await questions.ask(question, keys);
}

/** Reads lines on a terminal until its input ends with Ctrl+D. */
export async function askText(question: string): Promise<string> {
	// A readline interface handles Ctrl+D itself; otherwise the input of the process would end, and nothing more could be asked. It is
	// created before the question is shown, so that it also receives what is typed at once.
	const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: "" });
	process.stderr.write(question);
	const lines: string[] = [];
	try {
		for await (const line of terminal) lines.push(line);
	} catch (error) {
		// The terminal was closed. No question can be asked any more, so what was read is not used.
		if (!isClosed()) throw error;
	}
	return lines.join("\n");
}
