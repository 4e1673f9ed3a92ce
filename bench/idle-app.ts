import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { cleanEnvironment, readEndpoint } from "../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../e2e/support/machine/temporary-home.ts";
import { threadNanoseconds } from "./cpu-time.ts";
import { compare, type Result } from "./result.ts";
import type { Sample } from "./rounds.ts";
import { endWithBench, hasEnded } from "./scratch.ts";
import type { StartWords } from "./until-page.ts";
import { residentMiB } from "./until-ready.ts";

const START_BOUND_MS = 60_000;
const MB_OF_MIB = 1024 ** 2 / 1e6;

/** What an app in the background uses without a page, a client or work, compared with its bridge, which is idle too. */
export async function benchIdleApp(home: TemporaryHome, { command, path }: StartWords, quick: boolean): Promise<readonly Result[]> {
	const { NODE_COMPILE_CACHE: _, ...env } = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0", XWORKMATE_BACKGROUND: "1" });
	const run = (...words: string[]) =>
		promisify(execFile)(command, words, { cwd: home.path, env: { ...env, PATH: `${path}:${env.PATH}` }, timeout: START_BOUND_MS });
	// Any command that needs the app starts it in the background.
	await run("threads");
	const [app, bridge] = await Promise.all([readEndpoint(home, "app"), readEndpoint(home, "bridge")]);
	if (app === undefined || bridge === undefined) throw new Error("no app runs in the background");
	for (const { pid } of [app, bridge]) endWithBench(pid);
	try {
		return await whileItRests(app.pid, bridge.pid, quick);
	} finally {
		await run("stop");
		for (const { pid } of [app, bridge]) hasEnded(pid);
	}
}

async function whileItRests(app: number, bridge: number, quick: boolean): Promise<readonly Result[]> {
	const restMs = quick ? 3_000 : 60_000;
	const percent: Sample<"app" | "bridge">[] = [];
	const memory: Sample<"app" | "bridge">[] = [];
	// Work that a start leaves for later is finished by then.
	await delay(quick ? 2_000 : 15_000);
	for (let round = 0; round < (quick ? 2 : 5); round++) {
		const before = { app: threadNanoseconds(app), bridge: threadNanoseconds(bridge) };
		const from = performance.now();
		await delay(restMs);
		const share = (pid: number, was: number) => (threadNanoseconds(pid) - was) / ((performance.now() - from) * 10_000);
		percent.push({ app: share(app, before.app), bridge: share(bridge, before.bridge) });
		memory.push({ app: residentMiB(app) * MB_OF_MIB, bridge: residentMiB(bridge) * MB_OF_MIB });
	}
	const beside = { against: "its bridge", measured: "app", baseline: "bridge" } as const;
	return [
		compare(percent, {
			...beside,
			name: `an idle app in the background, ${restMs / 1_000} s`,
			unit: "% of a core",
			aim: { measuredAtMost: 0.1 },
		}),
		compare(memory, { ...beside, name: "an idle app in the background: memory", unit: "MB", aim: { measuredAtMost: 120 } }),
	];
}
