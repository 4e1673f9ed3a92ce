const FRAME_MS = 16;
const MOST_RESTS = 4;

/**
 * Does a job in the next frame, and leaves some frames after it alone, the more the longer it took until they came:
 * however much there is to show, there are frames in which the page scrolls and takes what is typed.
 */
export class RenderThrottle {
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
		const begin = performance.now();
		// It comes once this frame is painted.
		this.#frame = requestAnimationFrame(() => {
			const late = performance.now() - begin;
			this.#rest(Math.min(MOST_RESTS, Math.floor(late / FRAME_MS)));
		});
		job?.();
	};

	/** One frame has been left alone already. */
	#rest(more: number): void {
		if (more > 1) this.#frame = requestAnimationFrame(() => this.#rest(more - 1));
		else this.#frame = this.#next === undefined ? undefined : requestAnimationFrame(this.#work);
	}
}
