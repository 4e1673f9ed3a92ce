import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { bridgeMain, cleanEnvironment, readEndpoint, readToken } from "../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../e2e/support/machine/temporary-home.ts";
import { within } from "../e2e/support/machine/wait-until.ts";
import { endWithBench, hasEnded } from "./scratch.ts";

const START_BOUND_MS = 120_000;
const END_BOUND_MS = 20_000;
const STEP_MS = 2;

export interface ReadyBridge {
	/** From the start of the process until it answers a list of runs. */
	readonly milliseconds: number;
	/** Memory that the process then holds. */
	readonly residentMiB: number;
}

/** Starts the bridge, with `more` in its environment, in a home that no other uses, waits until it is ready, and ends it. */
export async function untilReady(home: TemporaryHome, more: Record<string, string> = {}): Promise<ReadyBridge> {
	await rm(join(home.xworkmate, "bridge", "endpoint.json"), { force: true });
	const start = performance.now();
	const child = spawn(process.execPath, [bridgeMain], {
		cwd: home.path,
		env: cleanEnvironment(home, more),
		stdio: "ignore",
	});
	const pid = child.pid ?? 0;
	endWithBench(pid);
	try {
		while (!(await isReady(home, pid))) {
			if (child.exitCode !== null || performance.now() - start > START_BOUND_MS) throw new Error("the bridge did not get ready");
			await delay(STEP_MS);
		}
		return { milliseconds: performance.now() - start, residentMiB: residentMiB(pid) };
	} finally {
		await endProgram(child);
	}
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
	const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	return Number(kib) / 1024;
}

/** True once the bridge answers a request that needs its whole state. A bridge that listens may not do so yet. */
async function isReady(home: TemporaryHome, pid: number): Promise<boolean> {
	const endpoint = await readEndpoint(home);
	if (endpoint?.pid !== pid) return false;
	const answer = await fetch(`${endpoint.url}/acp/rpc`, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json", authorization: `Bearer ${await readToken(home)}` },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.list", params: { limit: 1 } }),
	}).catch(() => undefined);
	return answer?.status === 200 && "result" in z.looseObject({}).parse(await answer.json());
}

/** Ends a started program in order, if it has not ended. */
export async function endProgram(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGTERM");
	await within("the end of a started program", END_BOUND_MS, ended);
	if (child.pid !== undefined) hasEnded(child.pid);
}
