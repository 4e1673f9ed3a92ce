import { z } from "zod";

/** A server's reply to the sender or the recipient of a message, if it does not accept them. */
class EnvelopeRefusal extends Error {
	override readonly name = "EnvelopeRefusal";
	readonly command: string;
	readonly response: string;
	readonly responseCode: number;
	/** Used if the reply's code is not that of a refusal. */
	readonly code = "EPROTOCOL";

	constructor(command: string, response: string) {
		super(`${command} was refused`);
		this.command = command;
		this.response = response;
		this.responseCode = Number(response.slice(0, 3));
	}
}

const ANSWERED = ["MAIL FROM", "RCPT TO"] as const;
const Line = z.object({ tnx: z.literal("server") });

/**
 * Reads the server's replies to MAIL FROM and to the one RCPT TO as they come in. If the server supports PIPELINING, the library sends DATA
 * together with these commands. Before it reports a refusal, it then waits for the reply to DATA and, if the server asks for the message,
 * for the reply to an empty one. A server that answers neither would seem silent, although it has said why nothing can be sent.
 */
export class EnvelopeAnswers {
	readonly #onRefusal: (refusal: EnvelopeRefusal) => void;
	#next: number | undefined;

	constructor(onRefusal: (refusal: EnvelopeRefusal) => void) {
		this.#onRefusal = onRefusal;
	}

	/** Called when the envelope is about to be sent: the next reply is about the sender. */
	begin(): void {
		this.#next = 0;
	}

	/** The log to give to the library, which writes each of the server's replies to it before acting on the reply. */
	readonly log = {
		debug: (entry: unknown, text: unknown): void => {
			if (this.#next === undefined || typeof text !== "string" || !Line.safeParse(entry).success) return;
			const command = ANSWERED[this.#next];
			this.#next += 1;
			if (command !== undefined && !text.startsWith("2")) this.#onRefusal(new EnvelopeRefusal(command, text));
		},
	};
}
