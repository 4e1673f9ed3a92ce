import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cleanEnvironment, repositoryRoot } from "../../e2e/support/bridge/bridge-process.ts";
import { installPackage } from "../../e2e/support/installed/install-package.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { benchIdleApp } from "../idle-app.ts";
import type { BenchOptions } from "../options.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench } from "../scratch.ts";
import { untilPage } from "../until-page.ts";
import { endProgram } from "../until-ready.ts";
import { benchCold } from "./cold-start.ts";

const START_BOUND_MS = 30_000;
/** How often the file is checked, which limits the accuracy of the measurement. */
const STEP_MS = 1;

const bareFastify = fileURLToPath(new URL("../programs/bare-fastify.ts", import.meta.url));
/** Builds the programs of this checkout, as an earlier `npm start` would have. */
const buildInBackground = join(repositoryRoot, "scripts", "pack", "build-in-background.ts");

/**
 * Warm starts compared with a bare fastify server, an idle app compared with its bridge, and the first start of a fresh clone compared with
 * only installing its packages.
 */
export async function benchStart(options: BenchOptions): Promise<readonly Result[]> {
	return [...(await benchWarm(options)), ...(await benchCold(options))];
}

/**
 * Time from the start of an installed program to its `endpoint.json`, and from the start of the command, installed or `npm start`, to the
 * page's answer, in a home that has been used before; then what the idle app uses. The sources, which take about twice as long to start,
 * are not what a user starts.
 */
async function benchWarm({ quick }: BenchOptions): Promise<readonly Result[]> {
	await using home = await temporaryHome();
	const bare = join(home.path, "listening.json");
	const { bin, folder } = await installPackage(home.path);
	const program = (name: string) => join(folder, "programs", `${name}.js`);
	const installed = { command: join(bin, "xworkmate"), args: ["start"], path: bin };
	await promisify(execFile)(process.execPath, [buildInBackground]);
	const endpoint = (owner: string) => join(home.xworkmate, owner, "endpoint.json");
	const measures = {
		fastify: () => untilFile(home, bare, [bareFastify, bare]),
		bridge: () => untilFile(home, endpoint("bridge"), [program("bridge")]),
		app: () => untilFile(home, endpoint("app"), [program("xworkmate"), "start"]),
		page: () => untilPage(home, repositoryRoot),
		installed: () => untilPage(home, home.path, installed),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 7, measures);
	const against = { unit: "ms", against: "bare fastify server", baseline: "fastify" } as const;
	return [
		compare(samples, { ...against, name: "start of the bridge", measured: "bridge" }),
		compare(samples, { ...against, name: "start of the app with its bridge", measured: "app" }),
		compare(samples, { ...against, name: "installed, from its start until the page answers", measured: "installed", aim: { atMost: 4 } }),
		compare(samples, { ...against, name: "npm start, until the page answers", measured: "page", aim: { atMost: 4 } }),
		...(await benchIdleApp(home, installed, quick)),
	];
}

/** Milliseconds until the program has written the file. */
async function untilFile(home: TemporaryHome, file: string, args: readonly string[]): Promise<number> {
	await rm(file, { force: true });
	const env = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0" });
	const start = performance.now();
	const child = spawn(process.execPath, args, { cwd: home.path, env, stdio: "ignore" });
	if (child.pid !== undefined) endWithBench(child.pid);
	try {
		while (!existsSync(file)) {
			if (child.exitCode !== null || performance.now() - start > START_BOUND_MS) throw new Error(`${args[0]} did not write ${file}`);
			await delay(STEP_MS);
		}
		return performance.now() - start;
	} finally {
		await endProgram(child);
	}
}
