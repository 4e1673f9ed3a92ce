import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type StepEnd, say, type UnrulyTurn, untilCancelled } from "./turn.ts";

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

/**
 * A shell in a process group of its own, as in agents' Bash tools, with a command that ignores SIGTERM. Says `child <pid>` of the command.
 * Once the turn is cancelled, ends the shell, but not the command.
 */
export async function shellUntilCancelled(turn: UnrulyTurn): Promise<StepEnd> {
	const command = ["-c", '"$0" -e "$1" & echo $!; wait', process.execPath, STUBBORN_CHILD];
	const shell = spawn("/bin/sh", command, { stdio: ["ignore", "pipe", "ignore"], detached: true });
	let output = "";
	shell.stdout.on("data", (data: Buffer) => {
		output += String(data);
	});
	while (!output.includes("ready")) await once(shell.stdout, "data");
	await say(turn, `child ${Number.parseInt(output, 10)}\n`);
	await untilCancelled(turn);
	const ended = once(shell, "exit");
	shell.kill("SIGKILL");
	await ended;
	shell.stdout.destroy();
	return { stopReason: "cancelled" };
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
