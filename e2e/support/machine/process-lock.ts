import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const WAIT_MS = 5 * 60_000;
const POLL_MS = 100;
/** After this many polls, a lock folder without a readable owner is taken over. Before that, its owner may be about to write it. */
const OWNER_GRACE_POLLS = 50;

/** Held by one process at a time, until it is disposed of. A lock whose owner is dead is taken over; the wait is bounded. */
export async function lockBetweenProcesses(folder: string, waitMs = WAIT_MS): Promise<AsyncDisposable> {
	const ownerFile = join(folder, "pid");
	const until = Date.now() + waitMs;
	for (let polls = 0; !(await tryCreate(folder)); polls++) {
		if (Date.now() > until) throw new Error(`another process holds ${folder} for ${waitMs / 60_000} minutes`);
		if (!(await ownerLives(ownerFile, polls))) await rm(folder, { recursive: true, force: true });
		else await delay(POLL_MS);
	}
	await writeFile(ownerFile, String(process.pid));
	return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function tryCreate(folder: string): Promise<boolean> {
	try {
		await mkdir(folder);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
		throw error;
	}
}

async function ownerLives(ownerFile: string, polls: number): Promise<boolean> {
	const pid = Number(await readFile(ownerFile, "utf8").catch(() => ""));
	if (!Number.isInteger(pid) || pid <= 0) return polls < OWNER_GRACE_POLLS;
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
