import { randomUUID } from "node:crypto";

/**
 * Numbers the changes of one process. A mark says how far a reader has read; a mark of another process means nothing here, since
 * what that process had may have been replaced.
 */
export class ChangeMarks {
	#process = randomUUID();
	#count = 0;

	/** The number of a change that happens now. */
	next(): number {
		return ++this.#count;
	}

	/** For a reader that has read everything up to now. */
	get now(): string {
		return `${this.#process} ${this.#count}`;
	}

	/** The number of a mark; undefined for one that was not issued here. */
	read(mark: string | undefined): number | undefined {
		const [process, count] = mark?.split(" ") ?? [];
		return process === this.#process ? Number(count) : undefined;
	}

	/** Earlier marks are no longer valid. */
	restart(): void {
		this.#process = randomUUID();
	}
}
