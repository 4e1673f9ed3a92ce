import { setTimeout as pause } from "node:timers/promises";

/** Waits until a condition holds. @throws after `ms` */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
	const end = performance.now() + ms;
	while (!(await holds())) {
		if (performance.now() > end) throw new Error(`it did not come to pass within ${ms} ms: ${what}`);
		await pause(5);
	}
}
