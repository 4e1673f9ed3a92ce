import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AppError } from "../errors/app-error.ts";

/** The environment settings that the app and the command read; all others are passed to the bridge, which refuses unknown ones. */
export interface AppSettings {
	/** Absolute; `XWORKMATE_HOME`. */
	readonly home: string;
	readonly listen: { readonly host: string; readonly port: number };
	/** The address of a bridge elsewhere; absent = the home's own bridge. */
	readonly bridgeUrl?: string;
	/** The token of that bridge; absent = the home's own token. */
	readonly token?: string;
	/** The environment of the bridge as a child process. */
	readonly bridgeEnv: Readonly<Record<string, string | undefined>>;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** @throws AppError INVALID_INPUT naming the setting and its format */
export function readSettings(env: Readonly<Record<string, string | undefined>>): AppSettings {
	const { HOME, XWORKMATE_HOME } = env;
	const home = XWORKMATE_HOME || join(HOME || homedir(), ".xworkmate");
	if (!isAbsolute(home)) throw refused("XWORKMATE_HOME", "must be an absolute path");
	const { XWORKMATE_APP_LISTEN, XWORKMATE_BRIDGE_URL, XWORKMATE_TOKEN } = env;
	return {
		home,
		listen: parseListen(XWORKMATE_APP_LISTEN || "127.0.0.1:8788"),
		...(XWORKMATE_BRIDGE_URL ? { bridgeUrl: XWORKMATE_BRIDGE_URL } : {}),
		...(XWORKMATE_TOKEN ? { token: XWORKMATE_TOKEN } : {}),
		bridgeEnv: env,
	};
}

function parseListen(text: string): AppSettings["listen"] {
	const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
	if (!LOOPBACK.has(host)) throw refused("XWORKMATE_APP_LISTEN", "must be an address of this computer with a port, such as 127.0.0.1:8788");
	if (Number(port) > 65_535) throw refused("XWORKMATE_APP_LISTEN", "must have a port of at most 65535");
	return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function refused(name: string, why: string): AppError {
	return new AppError("INVALID_INPUT", `${name} ${why}.`, `Correct ${name}, or unset it.`);
}
