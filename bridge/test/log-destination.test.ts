import { expect, it } from "vitest";
import { LogDestination } from "../src/log-destination.ts";

/** A descriptor whose writes the test answers one by one. */
class GatedDescriptor {
	text = "";
	full = false;
	#waiting: { bytes: Buffer; done: (error: Error | null, written: number) => void } | undefined;
	#called = Promise.withResolvers<void>();

	write(bytes: Buffer, done: (error: Error | null, written: number) => void): void {
		this.#waiting = { bytes, done };
		this.#called.resolve();
	}

	writeSync(bytes: Buffer): number {
		if (this.full) throw noSpace();
		this.text += bytes.toString();
		return bytes.length;
	}

	/** Settles when a write was asked for; takes `count` bytes of it, or refuses it. */
	async next(count: number | "full" | "all"): Promise<void> {
		await this.#called.promise;
		const waiting = this.#waiting;
		this.#called = Promise.withResolvers();
		this.#waiting = undefined;
		if (waiting === undefined) throw new Error("nothing was written");
		if (count === "full") return waiting.done(noSpace(), 0);
		const written = count === "all" ? waiting.bytes.length : count;
		this.text += waiting.bytes.subarray(0, written).toString();
		waiting.done(null, written);
	}
}

function noSpace(): Error {
	return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

it("writes every line whole and in order, also when a write is cut in two or refused", async () => {
	const to = new GatedDescriptor();
	const log = new LogDestination(to);
	log.write("one\n");
	log.write("two\n");
	await to.next(2);
	await to.next("full");
	log.write("three\n");
	await to.next("all");
	expect(to.text).toBe("one\ntwo\nthree\n");
	await log.flushed(1_000);
});

it("never throws into who logs, holds a bounded amount, and says how many lines it dropped", async () => {
	const to = new GatedDescriptor();
	const log = new LogDestination(to, 100);
	for (let line = 0; line < 50; line++) log.write(`line ${line}\n`);
	await to.next("full");
	for (let line = 50; line < 60; line++) log.write(`line ${line}\n`);
	await to.next("all");
	await to.next("all");
	const lines = to.text.trimEnd().split("\n");
	const dropped = 60 - (lines.length - 1);
	expect(lines.slice(0, -1)).toEqual(Array.from({ length: 60 - dropped }, (_, line) => `line ${line}`));
	expect(dropped).toBeGreaterThan(40);
	expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
		level: 40,
		msg: `${dropped} log lines were dropped because too much was waiting to be written`,
	});
});

it("says that one line was dropped, also if none failed to be written", async () => {
	const to = new GatedDescriptor();
	const log = new LogDestination(to, 10);
	log.write("line one\n");
	log.write("line two\n");
	await to.next("all");
	await to.next("all");
	expect(JSON.parse(to.text.split("\n")[1] ?? "")).toMatchObject({
		msg: "1 log line was dropped because too much was waiting to be written",
	});
});

it("ends within its bound on a disk that stays full, and tries once more at the end", async () => {
	const to = new GatedDescriptor();
	const log = new LogDestination(to);
	log.write("last words\n");
	await to.next("full");
	to.full = true;
	await log.flushed(1);
	expect(to.text).toBe("");
	to.full = false;
	await log.flushed(1);
	expect(to.text).toBe("last words\n");
});
