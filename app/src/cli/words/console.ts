import { fstatSync } from "node:fs";
import { createLogUpdate } from "log-update";
import { createColors } from "picocolors";
import { createNoteWriter } from "./note-writer.ts";

/** The command's output: answers go to `out`, everything else about the task to `err`. */
export interface Console {
	/** Writes text as given, without adding a line break. */
	out(text: string): void;
	/** Ends the current line of `out`, if one is open. */
	endLine(): void;
	line(text: string): void;
	/** Writes a complete line about the task. */
	note(text: string): void;
	/** Shows the live status line; empty text removes it. Only on a terminal. */
	status(text: string): void;
	readonly interactive: boolean;
	readonly colors: ReturnType<typeof createColors>;
}

/** The process's own streams. A live status line needs both to be a terminal. */
export function terminalConsole(env: Readonly<Record<string, string | undefined>>): Console {
	const interactive = process.stderr.isTTY === true && process.stdout.isTTY === true && env.TERM !== "dumb";
	const live = createLogUpdate(process.stderr);
	const colors = createColors(interactive && env.NO_COLOR === undefined);
	const writeNote = createNoteWriter();
	const isOneStream = interactive || isSameFile(process.stdout.fd, process.stderr.fd);
	let midLine = false;
	const clear = () => {
		if (interactive) live.clear();
	};
	const endLine = () => {
		if (midLine) process.stdout.write("\n");
		midLine = false;
	};
	return {
		interactive,
		colors,
		out: (text) => {
			if (text === "") return;
			clear();
			process.stdout.write(text);
			midLine = !text.endsWith("\n");
		},
		endLine,
		line: (text) => {
			clear();
			endLine();
			process.stdout.write(`${text}\n`);
		},
		note: (text) => {
			clear();
			if (isOneStream) endLine();
			writeNote(`${text}\n`);
		},
		// The status would split a line that is being written, so it is shown once the line has ended.
		status: (text) => {
			if (!interactive || midLine) return;
			if (text === "") live.clear();
			else live(text);
		},
	};
}

/** True if both streams are the same file, as after `2>&1`: a note in the middle of an answer's line would then split that line. */
function isSameFile(one: number, other: number): boolean {
	const [a, b] = [fstatSync(one), fstatSync(other)];
	return a.dev === b.dev && a.ino === b.ino;
}
