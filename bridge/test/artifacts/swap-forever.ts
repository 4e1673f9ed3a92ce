import { linkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

/** What the thread is given; it swaps until `stop[0]` is 1 and counts its rounds in `stop[1]`. */
export interface SwapOrders {
	/** Holds `folder/`, `file.txt`, and nothing by the names used here. */
	readonly scope: string;
	/** Holds the same names with other bytes. */
	readonly outside: string;
	readonly stop: Int32Array;
}

function swap({ scope, outside }: SwapOrders): void {
	const at = (name: string) => join(scope, name);
	renameSync(at("folder"), at("kept"));
	symlinkSync(join(outside, "folder"), at("folder"));
	unlinkSync(at("folder"));
	renameSync(at("kept"), at("folder"));
	symlinkSync(join(outside, "file.txt"), at("link"));
	renameSync(at("link"), at("file.txt"));
	linkSync(join(outside, "file.txt"), at("link"));
	renameSync(at("link"), at("file.txt"));
	writeFileSync(at("link"), "inside");
	renameSync(at("link"), at("file.txt"));
	renameSync(scope, `${scope}.kept`);
	symlinkSync(outside, scope);
	unlinkSync(scope);
	renameSync(`${scope}.kept`, scope);
}

const orders: SwapOrders = workerData;
parentPort?.postMessage("started");
while (Atomics.load(orders.stop, 0) === 0) {
	swap(orders);
	Atomics.add(orders.stop, 1, 1);
}
