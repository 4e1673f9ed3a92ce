import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";

/**
 * After a line break, input is read until it pauses for this long, because the rest of a pasted text would reach the shell, which would
 * keep it in its history.
 */
const PASTE_PAUSE_MS = 100;
const MAX_CHARACTERS = 64 * 1024;
const [INTERRUPT, END_OF_INPUT, BACKSPACE, DELETE] = ["\u0003", "\u0004", "\b", "\u007f"];

/** The part of standard input that is needed here. */
export interface SecretInput extends NodeJS.ReadableStream {
	readonly isTTY?: boolean;
	setRawMode(isRaw: boolean): unknown;
}

/** Reads a secret: on a terminal it shows `question` but not what is typed; otherwise it reads all of standard input. */
export async function readSecret(input: SecretInput, write: (text: string) => void, question: string): Promise<string> {
	if (!input.isTTY) return bounded(await text(input));
	write(question);
	input.setRawMode(true);
	input.setEncoding("utf8");
	try {
		return bounded(await typed(input));
	} finally {
		input.setRawMode(false);
		input.pause();
		write("\n");
	}
}

async function typed(input: SecretInput): Promise<string> {
	let given = "";
	let isOver = Promise.withResolvers<void>();
	const take = (chunk: string) => {
		for (const character of chunk) {
			if (character === INTERRUPT) isOver.reject(new AppError("INVALID_INPUT", "Nothing was stored.", "Run the command again."));
			else if (character === BACKSPACE || character === DELETE) given = given.slice(0, -1);
			else if (character !== END_OF_INPUT) given += character;
			if (character === END_OF_INPUT || character === "\r" || character === "\n" || given.length > MAX_CHARACTERS) isOver.resolve();
		}
	};
	const end = () => isOver.resolve();
	input.on("data", take);
	input.on("end", end);
	input.resume();
	try {
		await isOver.promise;
		// A pasted text may arrive in several pieces.
		for (let length = -1; length !== given.length; ) {
			length = given.length;
			isOver = Promise.withResolvers<void>();
			isOver.promise.catch(() => undefined);
			await setTimeout(PASTE_PAUSE_MS);
		}
		return given;
	} finally {
		input.off("data", take);
		input.off("end", end);
	}
}

function bounded(secret: string): string {
	if (secret.length <= MAX_CHARACTERS) return secret;
	throw new WrongUsage("This is too long to be a credential.", "Copy only the credential, and paste it once.");
}
