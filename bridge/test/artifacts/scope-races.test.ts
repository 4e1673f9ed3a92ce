import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type VaultFixture, vaultFixture, writeFile } from "./artifact-store-fixture.ts";
import type { SwapOrders } from "./swap-forever.ts";

const COLLECTIONS = 40;
const FOLDERS = ["f0", "f1", "f2", "f3", "f4", "f5"];

/** Every byte stored for the run, whatever its path. */
function storedBytes(root: string): string {
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("");
}

async function startSwapper({ scope, elsewhere }: VaultFixture): Promise<AsyncDisposable & { rounds(): number }> {
	const stop = new Int32Array(new SharedArrayBuffer(8));
	const orders: SwapOrders = { scope, outside: elsewhere, folders: FOLDERS, stop };
	const worker = new Worker(new URL("./swap-forever.ts", import.meta.url), { workerData: orders });
	await new Promise((resolve) => worker.once("message", resolve));
	return {
		rounds: () => Atomics.load(stop, 1),
		async [Symbol.asyncDispose]() {
			Atomics.store(stop, 0, 1);
			await new Promise((resolve) => worker.once("exit", resolve));
		},
	};
}

describe.runIf(process.platform === "linux")("a scope that is swapped for links while it is collected", () => {
	it("lets no byte and no name from outside in", async () => {
		await using fixture = await vaultFixture();
		for (const folder of FOLDERS) {
			for (const name of ["a.txt", "b.txt"]) {
				fixture.write(`${folder}/${name}`, "inside");
				writeFile(join(fixture.elsewhere, folder, name), "OUTSIDE");
			}
			writeFile(join(fixture.elsewhere, folder, "OUTSIDE NAME"), "OUTSIDE");
		}
		fixture.write("file.txt", "inside");
		writeFile(join(fixture.elsewhere, "file.txt"), "OUTSIDE");
		await using swapper = await startSwapper(fixture);
		let accepted = 0;
		const reasons = new Set<string>();
		for (let turn = 0; turn < COLLECTIONS; turn++) {
			const { items, rejected } = await fixture.collect();
			accepted += items.length;
			for (const { reason } of rejected) reasons.add(reason);
			expect(JSON.stringify({ items, rejected })).not.toContain("OUTSIDE");
			expect(storedBytes(fixture.root)).not.toContain("OUTSIDE");
		}
		// The race was run: both sides got their turns, and the collections saw several states.
		expect(swapper.rounds()).toBeGreaterThan(0);
		expect(accepted).toBeGreaterThan(0);
		expect(reasons).toContain("symlink");
	}, 60_000);
});
