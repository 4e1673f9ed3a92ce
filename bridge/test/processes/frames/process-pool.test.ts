import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { ProcessPool } from "../../../src/processes/frames/process-pool.ts";

class Counted {
	alive = true;
	async kill(): Promise<void> {
		await delay(1);
		this.alive = false;
	}
}

function counting(idleMs = 60_000) {
	const started: Counted[] = [];
	const start = async (): Promise<Counted> => {
		const one = new Counted();
		started.push(one);
		return one;
	};
	return { started, pool: new ProcessPool({ start, idleMs }) };
}

describe("a pool of processes", () => {
	it("keeps one ready and uses it again", async () => {
		const { pool, started } = counting();
		pool.prepare();
		pool.prepare();
		const first = await pool.take();
		pool.giveBack(first);
		expect(await pool.take()).toBe(first);
		expect(started).toHaveLength(1);
		await pool.close();
		expect(first.alive).toBe(false);
	});

	it("gives each caller one of its own, and keeps no more than one of them", async () => {
		const { pool, started } = counting();
		const [one, two] = await Promise.all([pool.take(), pool.take()]);
		expect(one).not.toBe(two);
		pool.giveBack(one);
		pool.giveBack(two);
		await vi.waitFor(() => expect(started.filter(({ alive }) => alive)).toHaveLength(1));
		await pool.close();
	});

	it("lets who comes meanwhile wait for one that is about to be usable, and ends one that is not", async () => {
		const { pool, started } = counting();
		const first = await pool.take();
		const usable = Promise.withResolvers<boolean>();
		pool.giveBack(first, usable.promise);
		const next = pool.take();
		usable.resolve(true);
		expect(await next).toBe(first);
		pool.giveBack(first, Promise.resolve(false));
		expect(await pool.take()).not.toBe(first);
		expect(started).toHaveLength(2);
		await vi.waitFor(() => expect(first.alive).toBe(false));
		await pool.close();
	});

	it("does not hand out one that has ended", async () => {
		const { pool } = counting();
		const first = await pool.take();
		pool.giveBack(first);
		first.alive = false;
		expect(await pool.take()).not.toBe(first);
		await pool.close();
	});

	it("ends the ready one after a while, and all when it is closed", async () => {
		const { pool, started } = counting(5);
		pool.giveBack(await pool.take());
		await vi.waitFor(() => expect(started[0]?.alive).toBe(false));
		const out = await pool.take();
		await pool.close();
		expect(out.alive).toBe(false);
		await expect(pool.take()).rejects.toThrow("closed");
	});

	it("tells who takes why the start failed, and starts anew for the next", async () => {
		let failures = 1;
		const pool = new ProcessPool({
			start: async () => {
				if (failures-- > 0) throw new Error("no such program");
				return new Counted();
			},
			idleMs: 60_000,
		});
		pool.prepare();
		await expect(pool.take()).rejects.toThrow("no such program");
		expect((await pool.take()).alive).toBe(true);
		await pool.close();
	});
});
