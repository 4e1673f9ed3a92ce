import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type StepEnd, say, type UnrulyTurn } from "./turn.ts";

/** Ends this process at once: an exit code, or a signal's name. */
export async function die(how: string): Promise<StepEnd> {
	// Earlier output has to be out of the pipe's buffer.
	await delay(20);
	if (how.startsWith("SIG")) process.kill(process.pid, how as NodeJS.Signals);
	else process.exit(Number(how) || 0);
	return new Promise(() => {});
}

/** Closes stdout and goes on running, as a program does that lost its way. */
export function hangUp(): Promise<StepEnd> {
	closeSync(1);
	setInterval(() => {}, 60_000);
	return new Promise(() => {});
}

const STUBBORN_CHILD = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); console.log('ready')";

/** A child that ignores SIGTERM; `detached` puts it into its own process group. Says `child <pid>`. */
export async function spawnChild(turn: UnrulyTurn, detached: boolean): Promise<StepEnd> {
	const child = spawn(process.execPath, ["-e", STUBBORN_CHILD], { stdio: ["ignore", "pipe", "ignore"], detached });
	await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
	child.stdout.destroy();
	child.unref();
	await say(turn, `child ${child.pid}\n`);
	return undefined;
}

/** Neither the end of stdin nor SIGTERM ends this process any more. */
export function becomeStubborn(): StepEnd {
	process.removeAllListeners("SIGTERM");
	process.on("SIGTERM", () => {});
	stubborn = true;
	setInterval(() => {}, 60_000);
	return undefined;
}

let stubborn = false;

export function isStubborn(): boolean {
	return stubborn;
}
