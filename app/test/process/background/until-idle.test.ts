import { expect, it } from "vitest";
import { untilIdle } from "../../../src/process/background/until-idle.ts";

const IDLE_MS = 60;
const { signal } = new AbortController();

it("ends only after the whole time without a request", async () => {
	const began = performance.now();
	let looks = 0;
	// Someone reads, then has just stopped reading, then has not been there for a while.
	const quiet = [0, 0, IDLE_MS - 1, 0, IDLE_MS - 1];
	const requests = {
		get quietMs() {
			return quiet[looks++] ?? IDLE_MS;
		},
	};
	let asked = 0;
	const hasWork = async () => {
		asked++;
		return false;
	};
	await untilIdle({ requests, hasWork, idleMs: IDLE_MS, signal });
	expect(asked).toBe(1);
	expect(looks).toBeGreaterThan(quiet.length);
	expect(performance.now() - began).toBeGreaterThanOrEqual(IDLE_MS);
});

it("work that was found makes it wait the whole time again", async () => {
	const found = [true, true, false];
	const askedAt: number[] = [];
	const hasWork = async () => {
		askedAt.push(performance.now());
		return found[askedAt.length - 1] ?? false;
	};
	await untilIdle({ requests: { quietMs: Number.POSITIVE_INFINITY }, hasWork, idleMs: IDLE_MS, signal });
	expect(askedAt).toHaveLength(3);
	for (const [index, at] of askedAt.slice(1).entries()) expect(at - (askedAt[index] ?? 0)).toBeGreaterThanOrEqual(IDLE_MS);
});
