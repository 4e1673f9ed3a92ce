import type { Clock } from "../../ports/clock.ts";
import { isDiskFull } from "../../ports/disk-full.ts";
import type { LiveRun } from "./live-run.ts";

const WAITS = "The disk is full; waiting for space.";
const TRY_AGAIN_MS = 1_000;

/** Retries `work`, which must be safe to repeat, while the disk is full, and shows that the run is waiting. */
export async function whenSpace<T>(run: LiveRun, clock: Clock, givesUp: () => boolean, work: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isDiskFull(error) || givesUp()) throw error;
			const { stage = "starting", message } = run.state.progress ?? {};
			if (message !== WAITS) run.dispatch({ type: "show_progress", progress: { stage, message: WAITS } });
			await new Promise<void>((resolve) => clock.at(clock.now() + TRY_AGAIN_MS, resolve));
		}
	}
}
