import { createColors } from "picocolors";
import type { Console } from "../../src/cli/parts/console.ts";

/** A console that keeps what is written to it: answers in `answers`, everything about the task in `notes`. */
export class RecordingConsole implements Console {
	readonly interactive: boolean = false;
	readonly canAsk: boolean = false;
	readonly colors = createColors(false);
	readonly notes: string[] = [];
	readonly lines: string[] = [];
	answers = "";

	out(text: string): void {
		this.answers += text;
	}

	endLine(): void {
		if (this.answers !== "" && !this.answers.endsWith("\n")) this.answers += "\n";
	}

	line(text: string): void {
		this.lines.push(text);
	}

	note(text: string): void {
		this.notes.push(text);
	}

	status(_text?: string): void {}

	asking(): () => void {
		return () => undefined;
	}
}
