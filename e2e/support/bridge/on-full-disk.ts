import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { type BareClient, RpcRefused } from "../wire/bare-client.ts";
import { turn } from "../wire/turn.ts";
import { type BridgeProcess, startBridge } from "./bridge-process.ts";
import { unrulyAgent } from "./providers.ts";
import { settle } from "./settle.ts";
import { type DiskKind, type SmallDisk, smallDisk } from "./small-disk.ts";

/** The maximum number of turns that are submitted until one is refused: the log's last page may have room for a few. */
const FILLING_ATTEMPTS = 20;

export interface BridgeOnSmallDisk extends AsyncDisposable {
	readonly disk: SmallDisk;
	readonly bridge: BridgeProcess;
	/** The bridge's log, which is on the same disk. */
	log(): Promise<string>;
}

/** A bridge as the app runs it: its log is a file of its home, so a full disk meets both. */
export async function bridgeOnSmallDisk(mebibytes = 32, kind: DiskKind = "tmpfs"): Promise<BridgeOnSmallDisk> {
	const disk = await smallDisk(mebibytes, kind);
	const logFile = join(disk.home.xworkmate, "bridge", "bridge.log");
	try {
		const bridge = await startBridge({ home: disk.home, logFile, providers: [unrulyAgent()] });
		return {
			disk,
			bridge,
			log: () => readFile(logFile, "utf8"),
			async [Symbol.asyncDispose]() {
				await disk.free();
				await bridge[Symbol.asyncDispose]().finally(() => disk[Symbol.asyncDispose]());
			},
		};
	} catch (error) {
		await disk[Symbol.asyncDispose]();
		throw error;
	}
}

export const speaks = (ticks: number, everyMs = 100) => turn({ prompt: `UNRULY:SLOW ${ticks} ${everyMs}`, providerId: "unruly" });

/** Runs a turn that speaks, and checks that every word of it is in its output. */
export async function expectEveryWord(bridge: BridgeProcess, ticks: number, everyMs?: number): Promise<void> {
	const { snapshot } = await settle(bridge.client(), speaks(ticks, everyMs));
	const words = Array.from({ length: ticks }, (_, index) => `tick ${index + 1} `).join("");
	const { status, message, output } = snapshot;
	expect({ status, message, text: output?.text }).toEqual({ status: "completed", message: undefined, text: words });
}

/** Fills the disk, and frees it after a time: how long it is full is what these tests are about. */
export async function fullFor(disk: SmallDisk, milliseconds: number): Promise<void> {
	await disk.fill();
	await delay(milliseconds);
	await disk.free();
}

/** Submits turns until the bridge refuses one. It accepts those that its log still has room for. */
export async function untilRefused(client: BareClient): Promise<void> {
	for (let attempt = 1; attempt <= FILLING_ATTEMPTS; attempt++) {
		try {
			await client.rpc("session.start", speaks(1));
		} catch (error) {
			if (error instanceof RpcRefused) return;
			throw error;
		}
	}
	throw new Error(`${FILLING_ATTEMPTS} turns found room on a full disk`);
}
