import type { ServiceState } from "./user-service.ts";

export interface StartWatch {
	/** True if the app that the service starts answers now. */
	answers(): Promise<boolean>;
	/** The state that the system reports now. */
	state(): Promise<ServiceState>;
	/** Waits until the next check is due; false once the time limit has passed. */
	pause(): Promise<boolean>;
}

/**
 * Waits until the app of a service answers. The system accepts a service before its program has done anything, so its acceptance proves
 * nothing.
 * @returns `answers`, or the state that the system reports for a service whose app has not answered: at once if it ended with an error
 */
export async function awaitStart(watch: StartWatch): Promise<ServiceState | "answers"> {
	while (!(await watch.answers())) {
		const state = await watch.state();
		if (state === "restarting" || state === "failed" || !(await watch.pause())) return state;
	}
	return "answers";
}
