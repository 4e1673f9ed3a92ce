import { once } from "node:events";
import { expect, test } from "vitest";
import { RunningTurns } from "../../src/programs/running-turns.ts";

/** A turn that ends when it is told to stop. */
async function untilStopped(stop: AbortSignal): Promise<string> {
	if (!stop.aborted) await once(stop, "abort");
	return "stopped";
}

test("closing stops every turn, also one that begins later, and waits until they have ended", async () => {
	const turns = new RunningTurns();
	const ended: string[] = [];
	const never = new AbortController().signal;
	const turn = async (stop: AbortSignal) => void ended.push(await untilStopped(stop));
	void turns.run(never, turn);
	void turns.run(never, turn);
	await turns.close();
	expect(ended).toStrictEqual(["stopped", "stopped"]);
	expect(await turns.run(never, untilStopped)).toBe("stopped");
});

test("a stop ends its own turn only", async () => {
	const turns = new RunningTurns();
	const [first, second] = [new AbortController(), new AbortController()];
	let isSecondOver = false;
	const firstDone = turns.run(first.signal, untilStopped);
	const secondDone = turns.run(second.signal, untilStopped).finally(() => {
		isSecondOver = true;
	});
	first.abort();
	expect(await firstDone).toBe("stopped");
	expect(isSecondOver).toBe(false);
	second.abort();
	await secondDone;
});
