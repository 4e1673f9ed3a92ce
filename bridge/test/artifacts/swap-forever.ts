import { linkSync, lstatSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

/** What the thread is given; it swaps until `stop[0]` is 1 and counts its rounds in `stop[1]`. */
export interface SwapOrders {
	/** Holds the folders, `file.txt`, and nothing by the other names used here. */
	readonly scope: string;
	readonly folders: readonly string[];
	/** Holds the same names with other bytes. */
	readonly outside: string;
	readonly stop: Int32Array;
}

function swap({ scope, outside, folders }: SwapOrders): void {
	const at = (name: string) => join(scope, name);
	for (const folder of folders) {
		renameSync(at(folder), at("kept"));
		symlinkSync(join(outside, folder), at(folder));
		// The link stays about as long as the folder does, or hardly a walk would meet it.
		for (let look = 0; look < 20; look++) lstatSync(at(folder));
		unlinkSync(at(folder));
		renameSync(at("kept"), at(folder));
		for (let look = 0; look < 20; look++) lstatSync(at(folder));
	}
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
