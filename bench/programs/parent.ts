/** Sends the bench what it needs, and that this program is ready. The program ends with the bench. */
export function tellBench(ready: object): void {
	process.once("disconnect", () => process.exit(0));
	process.send?.(ready);
}

/** Performs the bench's jobs one at a time, and answers with the milliseconds each took. */
export function answerJobs(act: (job: unknown) => Promise<void>): void {
	process.on("message", (job) => {
		const start = performance.now();
		void act(job).then(() => process.send?.({ ms: performance.now() - start }));
	});
	tellBench({});
}
