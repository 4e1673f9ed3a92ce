const FRAME_MS = 16;
const MOST_RESTS = 4;
/**
 * The longest wait for a frame. A browser that rarely draws may give a page only one frame a second or none, but what has arrived must
 * still be shown.
 */
const MOST_FRAME_MS = 200;

/**
 * Runs a job in the next frame, then skips frames: the longer the frame took, the more are skipped. This leaves some frames for scrolling
 * and typing, however much there is to render.
 */
export class RenderThrottle {
	/** Cancels the wait for the next frame. Undefined while the throttle is not waiting for one. */
	#cancelFrame: (() => void) | undefined;
	#next: (() => void) | undefined;

	/** Requests the job. If several jobs are requested before the next run, only the last one runs. */
	ask(job: () => void): void {
		this.#next = job;
		if (this.#cancelFrame === undefined) this.#onFrame(this.#work);
	}

	cancel(): void {
		this.#cancelFrame?.();
		this.#cancelFrame = undefined;
		this.#next = undefined;
	}

	readonly #work = (): void => {
		const job = this.#next;
		this.#next = undefined;
		const begin = performance.now();
		// Called once the job's frame has been painted.
		this.#onFrame((isPainted) => {
			const late = performance.now() - begin;
			this.#rest(isPainted ? Math.min(MOST_RESTS, Math.floor(late / FRAME_MS)) : 0);
		});
		job?.();
	};

	/** Skips `more` frames, the first of which has already passed. */
	#rest(more: number): void {
		if (more > 1) this.#onFrame((isPainted) => this.#rest(isPainted ? more - 1 : 0));
		else if (this.#next === undefined) this.#cancelFrame = undefined;
		else this.#onFrame(this.#work);
	}

	/** Calls `act` in the next frame, or without one after `MOST_FRAME_MS`. */
	#onFrame(act: (isPainted: boolean) => void): void {
		const end = (isPainted: boolean) => {
			cancel();
			act(isPainted);
		};
		const frame = requestAnimationFrame(() => end(true));
		const timer = setTimeout(() => end(false), MOST_FRAME_MS);
		const cancel = () => {
			cancelAnimationFrame(frame);
			clearTimeout(timer);
		};
		this.#cancelFrame = cancel;
	}
}
