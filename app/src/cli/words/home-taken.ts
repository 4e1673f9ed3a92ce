import { AppError } from "../../errors/app-error.ts";
import { howToStop, type RunningProcess, runningWords } from "../../text/running-words.ts";

/** The error if the running app keeps the service from being installed. `path`: where the service's file will be. */
export function homeTaken(running: RunningProcess, path: string, nowMs: number): AppError {
	// The command restarts its own service instead of refusing, so a service that gets here is a different one.
	const isElsewhere = running.runsAs === "service";
	const stop = isElsewhere ? `That service was not started from ${path}. End its process: kill ${running.pid}.` : howToStop(running);
	const message = `XWorkmate is already using this data folder. ${runningWords(running, nowMs)}`;
	return new AppError("APP_HOME_IN_USE", message, `${stop} Then install the service.`);
}
