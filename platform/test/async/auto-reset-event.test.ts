import { expect, it } from "vitest";
import { AutoResetEvent } from "../../src/async/auto-reset-event.ts";

/** Whether the wait is over once everything that is due has run. */
async function isOver(wait: Promise<void>): Promise<boolean> {
	let over = false;
	void wait.then(() => {
		over = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	return over;
}

it("a set before the wait ends that wait, once", async () => {
	const event = new AutoResetEvent();
	event.set();
	event.set();
	expect(await isOver(event.wait())).toBe(true);
	expect(await isOver(event.wait())).toBe(false);
});

it("a set during the wait ends it, and is not remembered for the next one", async () => {
	const event = new AutoResetEvent();
	const wait = event.wait();
	expect(await isOver(wait)).toBe(false);
	event.set();
	expect(await isOver(wait)).toBe(true);
	expect(await isOver(event.wait())).toBe(false);
});

it("a set after the time was up is remembered for the next wait", async () => {
	const event = new AutoResetEvent();
	await event.wait(1);
	event.set();
	expect(await isOver(event.wait())).toBe(true);
});

it("a closed one ends each wait, and says that it is closed", async () => {
	const event = new AutoResetEvent();
	const wait = event.wait();
	event.close();
	expect(await isOver(wait)).toBe(true);
	expect(await isOver(event.wait())).toBe(true);
	expect(await isOver(event.wait(3_600_000))).toBe(true);
	expect(event.closed).toBe(true);
});
