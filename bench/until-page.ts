import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cleanEnvironment, readEndpoint } from "../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../e2e/support/machine/temporary-home.ts";
import { within } from "../e2e/support/machine/wait-until.ts";
import { endWithBench, hasEnded } from "./scratch.ts";

const START_BOUND_MS = 300_000;
const END_BOUND_MS = 30_000;
/** How often the page is requested, which limits the accuracy of the measurement. */
const STEP_MS = 5;

/** A command that starts the app, as a user types it. */
export interface StartWords {
	readonly command: string;
	readonly args: readonly string[];
	/** The folders to put before the system's PATH. */
	readonly path?: string;
}

const npmStart: StartWords = { command: "npm", args: ["start"] };

/**
 * Milliseconds from a start (by default `npm start`) in a folder until the page answers, as on a user's machine: with the system's PATH,
 * and without this program's own environment. Ends the app afterwards.
 */
export async function untilPage(home: TemporaryHome, folder: string, words: StartWords = npmStart): Promise<number> {
	await rm(join(home.xworkmate, "app", "endpoint.json"), { force: true });
	const start = performance.now();
	const child = startIn(home, folder, words);
	try {
		for (;;) {
			if (child.exitCode !== null) throw new Error(`${words.command} ended with ${child.exitCode}`);
			if (performance.now() - start > START_BOUND_MS) throw new Error(`${words.command} served no page`);
			if (await pageAnswers(home)) return performance.now() - start;
			await delay(STEP_MS);
		}
	} finally {
		await end(home, child);
	}
}

/** Milliseconds until the toolchain and the packages are installed, which is the first step of every command. */
export async function untilInstalled(home: TemporaryHome, checkout: string): Promise<number> {
	const start = performance.now();
	// Through npm, as for `npm start`, so that both use the machine's npm settings (a proxy, certificates).
	const child = startIn(home, checkout, { command: "npm", args: ["exec", "-c", "node scripts/toolchain.mjs node --version"] });
	const [code] = await within("the end of an installation", START_BOUND_MS, once(child, "exit"));
	hasEnded(child.pid ?? 0);
	if (code !== 0) throw new Error(`the installation ended with ${code}`);
	return performance.now() - start;
}

function startIn(home: TemporaryHome, folder: string, { command, args, path }: StartWords): ChildProcess {
	// The command's compile cache is in its usual place rather than in the tests' own.
	const { NODE_COMPILE_CACHE: _, ...env } = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0" });
	const PATH = path === undefined ? env.PATH : `${path}:${env.PATH}`;
	const child = spawn(command, args, { cwd: folder, env: { ...env, PATH }, stdio: "ignore" });
	endWithBench(child.pid ?? 0);
	return child;
}

async function pageAnswers(home: TemporaryHome): Promise<boolean> {
	const endpoint = await readEndpoint(home, "app");
	if (endpoint === undefined) return false;
	const answer = await fetch(endpoint.url).catch(() => undefined);
	await answer?.body?.cancel();
	return answer?.status === 200;
}

/** Ends the app and the commands that started it. */
async function end(home: TemporaryHome, npm: ChildProcess): Promise<void> {
	const app = await readEndpoint(home, "app");
	if (npm.exitCode !== null || npm.signalCode !== null) return;
	const ended = once(npm, "exit");
	if (app === undefined) npm.kill("SIGTERM");
	else process.kill(app.pid, "SIGTERM");
	await within("the end of npm start", END_BOUND_MS, ended);
	hasEnded(npm.pid ?? 0);
}
