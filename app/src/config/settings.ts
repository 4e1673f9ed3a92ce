import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AppEnvironment } from "@xworkmate/platform/app-environment";
import { type ConfigFile, saidProblem } from "@xworkmate/platform/config-file";
import type { ListenAddress } from "@xworkmate/platform/listen-address";
import { AppError } from "../errors/app-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings with which the app and the command start. Live settings are read when they are needed, and the bridge reads its own. */
export interface AppSettings {
	/** Absolute; `XWORKMATE_HOME`. */
	readonly home: string;
	readonly listen: ListenAddress;
	/** The address of a bridge elsewhere; absent for the home's own bridge. */
	readonly bridgeUrl?: string;
	/** `XWORKMATE_TOKEN`: the token of the bridge, here or elsewhere; absent for the token in the home. */
	readonly token?: string;
	/** True if commands use an app in the background, which they start if none is running. If false, a command is the app while it runs. */
	readonly background: boolean;
	/** How long an app in the background keeps running when nothing uses it. */
	readonly backgroundIdleMs: number;
	/** True if the bridge's address is set, to whatever value. */
	readonly choosesBridgeAddress: boolean;
	/** The environment of the bridge as a child process. */
	readonly bridgeEnv: Variables;
	/** What is wrong with config.json. No app starts until the user has corrected it. */
	readonly problem?: AppError;
}

/** @throws AppError INVALID_INPUT */
export function homeOf({ HOME, XWORKMATE_HOME }: Variables): string {
	const home = XWORKMATE_HOME || join(HOME || homedir(), ".xworkmate");
	if (!isAbsolute(home)) throw refused("XWORKMATE_HOME", "must be an absolute path");
	return home;
}

/**
 * `file`: the home's config.json. The environment takes precedence.
 * @throws AppError INVALID_INPUT naming the setting and its format
 */
export function readSettings(env: Variables, file?: ConfigFile): AppSettings {
	const set = (name: string) => env[name] || file?.values.get(name)?.text;
	const { XWORKMATE_APP_LISTEN, XWORKMATE_BACKGROUND, XWORKMATE_BACKGROUND_IDLE_MS } = appSettings(set);
	const bridgeUrl = set("XWORKMATE_BRIDGE_URL");
	const { XWORKMATE_TOKEN } = env;
	const said = file && saidProblem(file);
	return {
		home: homeOf(env),
		listen: XWORKMATE_APP_LISTEN,
		background: XWORKMATE_BACKGROUND === "1",
		backgroundIdleMs: XWORKMATE_BACKGROUND_IDLE_MS,
		choosesBridgeAddress: set("XWORKMATE_BRIDGE_LISTEN") !== undefined,
		...(bridgeUrl ? { bridgeUrl } : {}),
		...(XWORKMATE_TOKEN ? { token: XWORKMATE_TOKEN } : {}),
		bridgeEnv: env,
		...(said && { problem: new AppError("CONFIG_REFUSED", said.message, said.fix) }),
	};
}

const ProcessSettings = AppEnvironment.omit({ XWORKMATE_BRIDGE_URL: true });

/** @throws AppError INVALID_INPUT */
function appSettings(set: (name: string) => string | undefined) {
	const parsed = ProcessSettings.safeParse(
		Object.fromEntries(Object.keys(ProcessSettings.shape).flatMap((name) => (set(name) ? [[name, set(name)]] : []))),
	);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw refused(String(issue?.path[0]), issue?.message ?? "is invalid");
}

function refused(name: string, why: string): AppError {
	return new AppError("INVALID_INPUT", `${name} ${why}.`, `Correct ${name}, or unset it.`);
}
