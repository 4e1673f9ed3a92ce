import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type ConfigFile, saidProblem } from "@xworkmate/platform/config-file";
import { type ListenAddress, LoopbackAddress } from "@xworkmate/platform/listen-address";
import { AppError } from "../errors/app-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings that the app and the command read themselves; the bridge reads all others. */
export interface AppSettings {
	/** Absolute; `XWORKMATE_HOME`. */
	readonly home: string;
	readonly listen: ListenAddress;
	/** The address of a bridge elsewhere; absent for the home's own bridge. */
	readonly bridgeUrl?: string;
	/** The token of a bridge elsewhere; absent for the home's own token. */
	readonly token?: string;
	/** The environment of the bridge as a child process. */
	readonly bridgeEnv: Variables;
	/** What is wrong with config.json. Nothing starts until the user has corrected it. */
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
	const bridgeUrl = set("XWORKMATE_BRIDGE_URL");
	const { XWORKMATE_TOKEN } = env;
	const said = file && saidProblem(file);
	return {
		home: homeOf(env),
		listen: parseListen(set("XWORKMATE_APP_LISTEN") || "127.0.0.1:8788"),
		...(bridgeUrl ? { bridgeUrl } : {}),
		...(XWORKMATE_TOKEN ? { token: XWORKMATE_TOKEN } : {}),
		bridgeEnv: env,
		...(said && { problem: new AppError("CONFIG_REFUSED", said.message, said.fix) }),
	};
}

function parseListen(text: string): ListenAddress {
	const parsed = LoopbackAddress.safeParse(text);
	if (parsed.success) return parsed.data;
	throw refused("XWORKMATE_APP_LISTEN", parsed.error.issues[0]?.message ?? "is invalid");
}

function refused(name: string, why: string): AppError {
	return new AppError("INVALID_INPUT", `${name} ${why}.`, `Correct ${name}, or unset it.`);
}
