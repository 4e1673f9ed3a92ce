import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AppError } from "../errors/app-error.ts";

/** What the app and the command read of the environment; everything else is passed on to the bridge, which refuses what it does not know. */
export interface AppSettings {
	/** Absolute; `XWORKMATE_HOME`. */
	readonly home: string;
	readonly listen: { readonly host: string; readonly port: number };
	/** A bridge elsewhere; absent = the one of this home. */
	readonly bridgeUrl?: string;
	/** Its token; absent = the one of this home. */
	readonly token?: string;
	/** For the bridge as a child process. */
	readonly bridgeEnv: Readonly<Record<string, string | undefined>>;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** @throws AppError INVALID_INPUT naming the setting and its form. */
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
