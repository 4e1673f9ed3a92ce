/** Sends the bench what it needs, and that this program is ready. The program ends with the bench. */
export function tellBench(ready: object): void {
	process.once("disconnect", () => process.exit(0));
	process.send?.(ready);
}

/**
 * Performs the bench's jobs, and answers with the milliseconds that each took. The bench sends a job only after the answer to the one
 * before.
 */
export function answerJobs(act: (job: unknown) => Promise<void>): void {
	process.on("message", (job) => {
		const start = performance.now();
		void act(job).then(() => process.send?.({ ms: performance.now() - start }));
	});
	tellBench({});
}
