import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { cleanEnvironment, readEndpoint } from "../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../e2e/support/machine/temporary-home.ts";
import { waitUntil } from "../e2e/support/machine/wait-until.ts";
import { threadNanoseconds } from "./cpu-time.ts";
import { compare, type Result } from "./result.ts";
import type { Sample } from "./rounds.ts";
import { endWithBench, hasEnded } from "./scratch.ts";
import type { StartWords } from "./until-page.ts";
import { endProgram, residentMiB } from "./until-ready.ts";

const START_BOUND_MS = 60_000;
const MB_OF_MIB = 1024 ** 2 / 1e6;

/** What an app without a page and without work takes, beside its bridge, which rests as well. */
export async function benchIdleApp(home: TemporaryHome, { command, args, path }: StartWords, quick: boolean): Promise<readonly Result[]> {
	const { NODE_COMPILE_CACHE: _, ...env } = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0" });
	const child = spawn(command, args, { cwd: home.path, env: { ...env, PATH: `${path}:${env.PATH}` }, stdio: "ignore" });
	endWithBench(child.pid ?? 0);
	try {
		const [app, bridge] = await waitUntil("the app and its bridge", START_BOUND_MS, async () => {
			const [own, other] = await Promise.all([readEndpoint(home, "app"), readEndpoint(home, "bridge")]);
			return own !== undefined && own.pid === child.pid && other !== undefined ? ([own.pid, other.pid] as const) : undefined;
		});
		endWithBench(bridge);
		const results = await whileItRests(app, bridge, quick);
		hasEnded(bridge);
		return results;
	} finally {
		await endProgram(child);
	}
}

async function whileItRests(app: number, bridge: number, quick: boolean): Promise<readonly Result[]> {
	const restMs = quick ? 3_000 : 60_000;
	const percent: Sample<"app" | "bridge">[] = [];
	const memory: Sample<"app" | "bridge">[] = [];
	// What a start leaves to be done is over after a while.
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
		compare(percent, { ...beside, name: `an idle app, ${restMs / 1_000} s`, unit: "% of a core", aim: { measuredAtMost: 0.1 } }),
		compare(memory, { ...beside, name: "an idle app: memory", unit: "MB", aim: { measuredAtMost: 120 } }),
	];
}
