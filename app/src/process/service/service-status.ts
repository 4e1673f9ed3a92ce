import type { RunningApp } from "../app/running-app.ts";
import type { ServiceState, UserService } from "./user-service.ts";

export interface ServiceStatus {
	readonly state: ServiceState;
	/** The home that the service was installed for. */
	readonly home: string;
	/** True if the service has a process, but its app doesn't answer. */
	readonly isSilent: boolean;
}

type FindApp = (home: string) => Promise<Pick<RunningApp, "process"> | undefined>;

/**
 * The state of an installed service. The service's app is looked for in the service's own home, which may not be the home of this command.
 */
export async function serviceStatus(
	service: Pick<UserService, "state" | "home">,
	defaultHome: string,
	findApp: FindApp,
): Promise<ServiceStatus> {
	const state = await service.state();
	const home = (await service.home()) || defaultHome;
	return { state, home, isSilent: state === "running" && !isOfService(await findApp(home)) };
}

/** An app of an earlier version doesn't report how it was started, so it is assumed to be the service's. */
function isOfService(app: Pick<RunningApp, "process"> | undefined): boolean {
	return app !== undefined && (app.process.runsAs ?? "service") === "service";
}
