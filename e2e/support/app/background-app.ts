import { readEndpoint } from "../bridge/bridge-process.ts";
import { endByPid, expectNoProcessNaming, processesNaming } from "../machine/live-processes.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type CommandEnd, type CommandOptions, type RunningCommand, runCommand, startCommand } from "./command.ts";

const START_BOUND_MS = 40_000;
const END_BOUND_MS = 30_000;

/** Longer than any test. */
const STAYS_MS = "600000";

/** A home whose commands use an app in the background. At its end, that app is ended by its id, and nothing of it may be left. */
export interface BackgroundHome extends AsyncDisposable {
	readonly home: TemporaryHome;
	/** For every command in this home. */
	readonly env: Record<string, string>;
	/** The process that owns the home, once it is another one than `than`. */
	owner(than?: number): Promise<{ readonly pid: number; readonly url: string }>;
	/** The ids of the apps in the background. One that was started and found another may still be there for a moment. */
	apps(): Promise<readonly number[]>;
	/** Waits until these are the apps in the background, and no other. */
	onlyApps(pids: readonly number[]): Promise<void>;
}

/** `idleMs`: how long the app stays when nothing uses it. */
export async function backgroundHome(idleMs: string = STAYS_MS): Promise<BackgroundHome> {
	const home = await temporaryHome();
	const apps = async () =>
		(await processesNaming(home.path)).filter(({ command }) => command.includes(" background --report")).map(({ pid }) => pid);
	return {
		home,
		env: { XWORKMATE_BACKGROUND: "1", XWORKMATE_BACKGROUND_IDLE_MS: idleMs, XWORKMATE_APP_LISTEN: "127.0.0.1:0" },
		owner: (than) =>
			waitUntil("the owner of the home", START_BOUND_MS, async () => {
				const endpoint = await readEndpoint(home, "app");
				return endpoint === undefined || endpoint.pid === than ? undefined : endpoint;
			}),
		apps,
		onlyApps: async (pids) => {
			const wanted = pids.join();
			await waitUntil(`the apps ${wanted || "none"}`, END_BOUND_MS, async () => ((await apps()).join() === wanted ? true : undefined));
		},
		async [Symbol.asyncDispose]() {
			try {
				for (const pid of await apps()) process.kill(pid, "SIGTERM");
				await expectNoProcessNaming(home.path, END_BOUND_MS);
			} finally {
				for (const pid of await apps()) endByPid(pid);
				await home[Symbol.asyncDispose]();
			}
		},
	};
}

/** A browser that was let in by a link. */
export class SignedInPage {
	readonly origin: string;
	readonly #cookie: string;

	private constructor(origin: string, cookie: string) {
		this.origin = origin;
		this.#cookie = cookie;
	}

	static async open(link: string): Promise<SignedInPage> {
		const response = await fetch(link, { redirect: "manual" });
		if (response.status !== 303) throw new Error(`the link was answered with ${response.status}`);
		return new SignedInPage(new URL(link).origin, response.headers.get("set-cookie")?.split(";")[0] ?? "");
	}

	/** The answer to a call, or undefined if there is none at this address, or it is not JSON. */
	async call(name: string, params: object = {}): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
		const headers = { cookie: this.#cookie, origin: this.origin, "content-type": "application/json" };
		try {
			const response = await fetch(`${this.origin}/api/${name}`, { method: "POST", headers, body: JSON.stringify(params) });
			return { status: response.status, body: await response.json() };
		} catch {
			return undefined;
		}
	}
}

/** Runs a command in this home to its end. */
export function runIn({ home, env }: BackgroundHome, args: readonly string[], more: CommandOptions = {}): Promise<CommandEnd> {
	return runCommand(home, args, { ...more, env: { ...env, ...more.env } });
}

/** Starts a command in this home. */
export function beginIn({ home, env }: BackgroundHome, args: readonly string[]): RunningCommand {
	return startCommand(home, args, { env });
}
