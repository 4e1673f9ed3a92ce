import { Session } from "node:inspector";

/**
 * How many function calls `work` makes, in all programs that it runs through: the same number on every machine, however busy it is.
 * Calls of built-in functions do not count.
 */
export function countCalls(work: () => void): number {
	const session = new Session();
	session.connect();
	try {
		session.post("Profiler.enable");
		session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
		work();
		let calls = 0;
		session.post("Profiler.takePreciseCoverage", (error, { result }) => {
			if (error !== null) throw error;
			for (const { functions } of result) for (const { ranges } of functions) calls += ranges[0]?.count ?? 0;
		});
		return calls;
	} finally {
		session.post("Profiler.stopPreciseCoverage");
		session.disconnect();
	}
}
