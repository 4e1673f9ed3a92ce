import { stripVTControlCharacters } from "node:util";
import { environmentSecrets, Redaction } from "@xworkmate/contracts";

const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 3_000;

/** The last lines that an agent wrote to stderr, or to stdout outside the protocol, for the message of a failure. */
export class StderrTail {
	readonly #limit: number;
	readonly #redaction: Redaction;
	readonly #parts: Buffer[] = [];
	#bytes = 0;

	/** @param environment the agent's environment; its secrets are never shown */
	constructor(limit: number, environment: Readonly<Record<string, string>>) {
		this.#limit = limit;
		this.#redaction = new Redaction(environmentSecrets(environment));
	}

	append(bytes: Buffer): void {
		this.#parts.push(bytes.length > this.#limit ? bytes.subarray(-this.#limit) : bytes);
		this.#bytes += this.#parts.at(-1)?.length ?? 0;
		while (this.#bytes - (this.#parts[0]?.length ?? 0) >= this.#limit) this.#bytes -= this.#parts.shift()?.length ?? 0;
	}

	/** Discards what was written so far. */
	clear(): void {
		this.#parts.length = 0;
		this.#bytes = 0;
	}

	/** All kept output, without control sequences and secrets. */
	text(): string {
		return this.cleaned(Buffer.concat(this.#parts).subarray(-this.#limit).toString("utf8"));
	}

	/** The last lines that are not empty. */
	lastLines(): string {
		const lines = this.text()
			.split("\n")
			.map((line) => line.trimEnd())
			.filter((line) => line !== "");
		return lines.slice(-SHOWN_LINES).join("\n").slice(-SHOWN_CHARACTERS);
	}

	/** Text from the agent, without control sequences or secrets. */
	cleaned(text: string): string {
		return this.#redaction.text(cleanText(text));
	}
}

/** The text without terminal control sequences, and without control characters other than line feeds and tabs. */
export function cleanText(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
