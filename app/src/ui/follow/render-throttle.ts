const FRAME_MS = 16;
const MOST_RESTS = 4;

/**
 * Runs a job in the next frame, then skips frames: the longer the frame took, the more are skipped. Scrolling and typing thus always get
 * some frames, however much there is to render.
 */
export class RenderThrottle {
	#frame: number | undefined;
	#next: (() => void) | undefined;

	/** Requests the job. If it is requested several times before it runs, only the last one runs. */
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
		// Called once the job's frame has been painted.
		this.#frame = requestAnimationFrame(() => {
			const late = performance.now() - begin;
			this.#rest(Math.min(MOST_RESTS, Math.floor(late / FRAME_MS)));
		});
		job?.();
	};

	/** Skips `more` frames, the first of which has already passed. */
	#rest(more: number): void {
		if (more > 1) this.#frame = requestAnimationFrame(() => this.#rest(more - 1));
		else this.#frame = this.#next === undefined ? undefined : requestAnimationFrame(this.#work);
	}
}
