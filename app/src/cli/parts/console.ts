import { fstatSync } from "node:fs";
import { createLogUpdate } from "log-update";
import { createColors } from "picocolors";
import { createNoteWriter } from "./note-writer.ts";

/** The command's output: answers go to standard output, everything else to standard error. */
export interface Console {
	/** Writes text as given, without adding a line break. */
	out(text: string): void;
	/** Ends the current line of standard output, if one is open. */
	endLine(): void;
	line(text: string): void;
	/** Writes a complete line to standard error. */
	note(text: string): void;
	/** Shows the live status line; empty text removes it. Only on a terminal. */
	status(text: string): void;
	/**
	 * Call this when a question is open on the terminal: no status line is drawn over it, and `redraw` shows it again after any other output.
	 * Call the returned function when the question is closed.
	 */
	asking(redraw: () => void): () => void;
	/** True if both output streams are a terminal whose lines can be erased. */
	readonly interactive: boolean;
	/** True if the user can be asked, because the input is a terminal too. */
	readonly canAsk: boolean;
	readonly colors: ReturnType<typeof createColors>;
}

/** Moves the cursor to the beginning of its line, and erases the line. */
const CLEAR_LINE = "\r\u001b[K";

/** The process's own streams. A live status line needs both to be a terminal. */
export function terminalConsole(env: Readonly<Record<string, string | undefined>>): Console {
	const interactive = process.stderr.isTTY === true && process.stdout.isTTY === true && env.TERM !== "dumb";
	const live = createLogUpdate(process.stderr);
	const colors = createColors(interactive && env.NO_COLOR === undefined);
	const writeNote = createNoteWriter();
	const isOneStream = interactive || isSameFile(process.stdout.fd, process.stderr.fd);
	let midLine = false;
	let redraw: (() => void) | undefined;
	/** Prints text where an open question is shown, then shows the question again below it once the line ends. */
	const aside = (print: () => void) => {
		if (redraw !== undefined && !midLine) process.stderr.write(CLEAR_LINE);
		print();
		if (!midLine) redraw?.();
	};
	const clear = () => {
		if (interactive) live.clear();
	};
	const endLine = () => {
		if (midLine) process.stdout.write("\n");
		midLine = false;
	};
	return {
		interactive,
		canAsk: interactive && process.stdin.isTTY === true,
		colors,
		out: (text) => {
			if (text === "") return;
			aside(() => {
				clear();
				process.stdout.write(text);
				midLine = !text.endsWith("\n");
			});
		},
		endLine: () => {
			if (midLine) aside(endLine);
		},
		line: (text) =>
			aside(() => {
				clear();
				endLine();
				process.stdout.write(`${text}\n`);
			}),
		note: (text) =>
			aside(() => {
				clear();
				if (isOneStream) endLine();
				writeNote(`${text}\n`);
			}),
		// Not shown while a line is being written, because the status would split it.
		status: (text) => {
			if (!interactive || midLine || redraw !== undefined) return;
			if (text === "") live.clear();
			else live(text);
		},
		asking: (again) => {
			clear();
			if (isOneStream) endLine();
			redraw = again;
			return () => {
				if (redraw === again) redraw = undefined;
			};
		},
	};
}

/** True if both streams are the same file, as after `2>&1`: a note would then split an answer's line that is still being written. */
function isSameFile(one: number, other: number): boolean {
	const [a, b] = [fstatSync(one), fstatSync(other)];
	return a.dev === b.dev && a.ino === b.ino;
}
