import { randomUUID } from "node:crypto";

/**
 * Numbers the changes within one process. A mark says how far a reader has read. Each process counts from zero, so a mark from another
 * process is not valid here.
 */
export class ChangeMarks {
	#process = randomUUID();
	#count = 0;

	/** The number for a change that is being made. */
	next(): number {
		return ++this.#count;
	}

	/** The mark for a reader that has read everything so far. */
	get now(): string {
		return `${this.#process} ${this.#count}`;
	}

	/** The number in a mark; undefined for a mark that was not issued here. */
	read(mark: string | undefined): number | undefined {
		const [process, count] = mark?.split(" ") ?? [];
		return process === this.#process ? Number(count) : undefined;
	}

	/** Invalidates all earlier marks. */
	restart(): void {
		this.#process = randomUUID();
	}
}
