import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import type { SwapOrders } from "./swap-forever.ts";
import { vaultFixture, writeFile } from "./vault-fixture.ts";

const COLLECTIONS = 100;

/** Every byte stored for the run, whatever its path. */
function storedBytes(root: string): string {
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("");
}

describe.runIf(process.platform === "linux")("a scope that is swapped for links while it is collected", () => {
	it("lets no byte and no name from outside in", async () => {
		await using fixture = await vaultFixture();
		for (const name of ["a.txt", "b.txt", "c.txt"]) {
			fixture.write(`folder/${name}`, "inside");
			writeFile(join(fixture.elsewhere, "folder", name), "OUTSIDE");
		}
		fixture.write("file.txt", "inside");
		writeFile(join(fixture.elsewhere, "file.txt"), "OUTSIDE");
		writeFile(join(fixture.elsewhere, "folder", "OUTSIDE NAME"), "OUTSIDE");
		const stop = new Int32Array(new SharedArrayBuffer(8));
		const orders: SwapOrders = { scope: fixture.scope, outside: fixture.elsewhere, stop };
		const swapper = new Worker(new URL("./swap-forever.ts", import.meta.url), { workerData: orders });
		await new Promise((resolve) => swapper.once("message", resolve));
		let accepted = 0;
		const reasons = new Set<string>();
		for (let turn = 0; turn < COLLECTIONS; turn++) {
			const { items, rejected } = await fixture.collect();
			accepted += items.length;
			for (const { reason } of rejected) reasons.add(reason);
			expect(JSON.stringify({ items, rejected })).not.toContain("OUTSIDE");
			expect(storedBytes(fixture.root)).not.toContain("OUTSIDE");
		}
		Atomics.store(stop, 0, 1);
		await new Promise((resolve) => swapper.once("exit", resolve));
		// The race was run: both sides got their turns, and the collections saw several states.
		expect(Atomics.load(stop, 1)).toBeGreaterThan(COLLECTIONS);
		expect(accepted).toBeGreaterThan(0);
		expect(reasons).toContain("symlink");
	}, 30_000);
});
