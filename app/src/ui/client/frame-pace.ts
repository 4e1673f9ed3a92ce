/**
 * Does a job in the next frame, and leaves the frame after it alone: however much there is to show, there are frames in
 * which the page scrolls and takes what is typed.
 */
export class FramePace {
	#frame: number | undefined;
	#next: (() => void) | undefined;

	/** Asked again before the job is done, it is done once. */
	ask(job: () => void): void {
		this.#next = job;
		this.#frame ??= requestAnimationFrame(this.#work);
	}

	cancel(): void {
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
		this.#next = undefined;
	}

	readonly #work = (): void => {
		const job = this.#next;
		this.#next = undefined;
		this.#frame = requestAnimationFrame(this.#rest);
		job?.();
	};

	readonly #rest = (): void => {
		this.#frame = this.#next === undefined ? undefined : requestAnimationFrame(this.#work);
	};
}
