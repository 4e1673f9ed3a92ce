import { setTimeout as delay } from "node:timers/promises";
import { readProcess } from "../../../../src/processes/group/process-group-table.ts";

const WAIT_MS = 5_000;

export async function isAlive(pid: number): Promise<boolean> {
	return (await readProcess(pid)) !== undefined;
}

/** Settles when the process is gone. @throws when it is still there after five seconds */
export async function untilGone(pid: number): Promise<void> {
	const until = Date.now() + WAIT_MS;
	while (await isAlive(pid)) {
		if (Date.now() > until) throw new Error(`process ${pid} is still there`);
		await delay(10);
	}
}

/** The number after a word in a text an agent said, such as `pid 123`. */
export function numberAfter(word: string, text: string): number {
	const [, digits] = new RegExp(`${word} (\\d+)`).exec(text) ?? [];
	if (digits === undefined) throw new Error(`no ${word} in: ${text}`);
	return Number(digits);
}
