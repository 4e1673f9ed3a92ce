import type { AppApi } from "../../api/app-api.ts";
import { type WithAppOptions, withApp } from "../app/with-app.ts";
import { HomeOwner } from "./home-owner.ts";
import { steadyApp } from "./steady-app.ts";

export interface WithBackgroundAppOptions extends WithAppOptions {
	/** The program of this command. */
	readonly main: string;
	/** Called with the names of the settings that differ from those of the app in the background. */
	readonly onDifferent: (names: readonly string[]) => void;
}

/**
 * Uses the app of a home as a client of whichever process owns it, and starts one in the background if there is none. A command that needs
 * no bridge does without that app if it can't start.
 * @throws as HomeOwner.get
 */
export async function withBackgroundApp<T>(options: WithBackgroundAppOptions, use: (api: AppApi) => Promise<T>): Promise<T> {
	const { settings, withoutBridge, onDifferent } = options;
	const owner = new HomeOwner(options);
	const found = await owner.get().catch((error: unknown) => {
		if (withoutBridge !== true) throw error;
		return undefined;
	});
	if (found === undefined) return await withApp(options, use);
	if (found.process.runsAs === "background") {
		const names = await found.differentSettings(settings.bridgeEnv);
		if (names.length > 0) onDifferent(names);
	}
	return await use(steadyApp(owner));
}
