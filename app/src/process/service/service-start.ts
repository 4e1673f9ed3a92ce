import type { ServiceState } from "./user-service.ts";

export interface StartWatch {
	/** Whether the app that the service starts answers now. */
	answers(): Promise<boolean>;
	/** What the system says of the service now. */
	state(): Promise<ServiceState>;
	/** Waits until it is time to look again; false when the time for it is over. */
	pause(): Promise<boolean>;
}

/**
 * Waits until the app of a service answers. The system accepts a service before its program has done anything, so its word is not enough.
 * @returns `answers`, or what the system says of a service whose app has not answered: at once if it ended with an error
 */
export async function awaitStart(watch: StartWatch): Promise<ServiceState | "answers"> {
	while (!(await watch.answers())) {
		const state = await watch.state();
		if (state === "restarting" || state === "failed" || !(await watch.pause())) return state;
	}
	return "answers";
}
