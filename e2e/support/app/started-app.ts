import { z } from "zod";
import { readEndpoint } from "../bridge/bridge-process.ts";
import { expectNoProcessNaming } from "../machine/live-processes.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil, within } from "../machine/wait-until.ts";
import { type RunningCommand, runCommand, startCommand } from "./command.ts";

const START_BOUND_MS = 30_000;
const STOP_BOUND_MS = 20_000;

const ThreadLine = z.looseObject({
	threadId: z.string(),
	lifecycleStatus: z.string(),
	lastResultCode: z.string().optional(),
	lastArtifactSyncStatus: z.string().optional(),
	lastTaskArtifactRelativePaths: z.array(z.string()),
	turns: z.array(z.looseObject({ turnId: z.string(), status: z.string(), runId: z.string().optional() })),
});
export type ThreadLine = z.infer<typeof ThreadLine>;

/** A running `xworkmate start`; ends in order, with every process of its home. */
export interface StartedApp extends AsyncDisposable {
	readonly command: RunningCommand;
	readonly bridgePid: number;
}

/** Starts the app and waits until both the app and its bridge listen. */
export async function startApp(home: TemporaryHome, env: Record<string, string> = {}): Promise<StartedApp> {
	const command = startCommand(home, ["start"], { env });
	const bridgePid = await waitUntil("the endpoints of the app and its bridge", START_BOUND_MS, async () => {
		const [bridge, app] = await Promise.all([readEndpoint(home, "bridge"), readEndpoint(home, "app")]);
		return app?.pid === command.pid ? bridge?.pid : undefined;
	}).catch(async (cause: unknown) => {
		command.kill("SIGKILL");
		throw new Error(`xworkmate start wrote: ${command.stdout}${command.stderr}`, { cause });
	});
	return {
		command,
		bridgePid,
		async [Symbol.asyncDispose]() {
			command.kill("SIGTERM");
			await within("the end of xworkmate start", STOP_BOUND_MS, command.ended).finally(() => command.kill("SIGKILL"));
			await expectNoProcessNaming(home.path);
		},
	};
}

/** The app's threads, as a second command reads them. */
export async function listThreads(home: TemporaryHome, env: Record<string, string> = {}): Promise<readonly ThreadLine[]> {
	const { stdout, stderr, code } = await runCommand(home, ["threads", "list", "--json"], { env });
	if (code !== 0) throw new Error(`threads list ended with ${code}: ${stderr}`);
	return ThreadLine.array().parse(JSON.parse(stdout));
}

/** Waits until no thread is queued or running any more. */
export function quietThreads(home: TemporaryHome, boundMs = 40_000, env: Record<string, string> = {}): Promise<readonly ThreadLine[]> {
	return waitUntil("every thread to be ready", boundMs, async () => {
		const threads = await listThreads(home, env);
		return threads.every(({ lifecycleStatus }) => lifecycleStatus === "ready") ? threads : undefined;
	});
}
