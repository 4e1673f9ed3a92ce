const FRAME_MS = 16;
const MOST_RESTS = 4;

/**
 * Runs a job in the next frame and skips some frames afterwards, more of them the longer the frame took: however much there is to
 * show, some frames remain for scrolling and typing.
 */
export class RenderThrottle {
	#frame: number | undefined;
	#next: (() => void) | undefined;

	/** Requested several times before the job has run, it runs once. */
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
		const begin = performance.now();
		// Runs once this frame has been painted.
		this.#frame = requestAnimationFrame(() => {
			const late = performance.now() - begin;
			this.#rest(Math.min(MOST_RESTS, Math.floor(late / FRAME_MS)));
		});
		job?.();
	};

	/** One frame has already been skipped. */
	#rest(more: number): void {
		if (more > 1) this.#frame = requestAnimationFrame(() => this.#rest(more - 1));
		else this.#frame = this.#next === undefined ? undefined : requestAnimationFrame(this.#work);
	}
}
