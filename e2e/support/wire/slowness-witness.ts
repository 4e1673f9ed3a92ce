import { parentPort } from "node:worker_threads";

/*
 * A thread that now and then works for 20 ms of CPU time and looks how long that takes: on a quiet machine
 * 20 ms, on one where five threads share a core a hundred. Answers every message with the greatest and the mean
 * ratio since the last one.
 */
const BURST_US = 20_000;
const EVERY_MS = 200;
let ratios: number[] = [];

function burst(): void {
	const start = performance.now();
	const cpu = process.threadCpuUsage();
	let used = 0;
	while (used < BURST_US) {
		const { user, system } = process.threadCpuUsage(cpu);
		used = user + system;
	}
	ratios.push(Math.max(1, ((performance.now() - start) * 1_000) / used));
}

setInterval(burst, EVERY_MS);
parentPort?.on("message", () => {
	burst();
	parentPort?.postMessage({ greatest: Math.max(...ratios), mean: ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length });
	ratios = [];
});
