import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Snapshot } from "@xworkmate/contracts";
import { z } from "zod";
import type { BridgeProcess } from "../../e2e/support/bridge/bridge-process.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { agentId, startBenchBridge } from "../bench-bridge.ts";
import type { BenchOptions } from "../options.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const RUN_BOUND_MS = 90_000;

interface Delivery {
	readonly name: string;
	readonly files: number;
	readonly bytes: number;
	/** Unit of the throughput. */
	readonly unit: "MiB/s" | "files/s";
}

const deliveries: readonly Delivery[] = [
	{ name: "1 x 1 GiB", files: 1, bytes: 1024 * MIB, unit: "MiB/s" },
	{ name: "1000 x 1 MiB", files: 1_000, bytes: MIB, unit: "MiB/s" },
	{ name: "5000 x 4 KiB", files: 5_000, bytes: 4 * KIB, unit: "files/s" },
];

/** The same deliveries at a sixteenth of the size. */
const quickDeliveries = deliveries.map((delivery) => ({
	...delivery,
	...(delivery.files === 1 ? { bytes: delivery.bytes / 16 } : { files: Math.ceil(delivery.files / 16) }),
}));

/** The app's sync of a run's files compared with plain GETs of the same bytes and with `cp -r`. */
export async function benchSync(options: BenchOptions): Promise<readonly Result[]> {
	const results: Result[] = [];
	for (const delivery of options.quick ? quickDeliveries : deliveries) {
		await using started = await startBenchBridge(options);
		results.push(...(await benchDelivery(started.bridge, delivery, options.quick ? 2 : 3)));
	}
	return results;
}

async function benchDelivery(bridge: BridgeProcess, { name, files, bytes, unit }: Delivery, rounds: number): Promise<readonly Result[]> {
	const snapshot = await deliver(bridge, files, bytes);
	const stored = join(bridge.home.xworkmate, "bridge", "artifacts", snapshot.runId);
	const paths = await filesBelow(stored);
	const perSecond = (ms: number) => (unit === "MiB/s" ? (files * bytes) / MIB : files) / (ms / 1000);
	await using fileServer = await Program.start("./file-server.ts", [stored]);
	await using plain = await Program.start("./plain-get.ts");
	await using sync = await Program.start("./sync.ts");
	const { port } = z.object({ port: z.number() }).parse(fileServer.ready);
	const { url, token } = bridge;
	const into = (act: (folder: string) => Promise<number>) => async () => perSecond(await inFreshFolder(bridge, act));
	const measures = {
		get: into((folder) => timed(plain, { port, folder, paths })),
		sync: into((folder) => timed(sync, { url, token, folder, snapshot })),
		copy: into((folder) => copy(stored, folder)),
	};
	// No warm-up round: gigabytes take long, and the median ignores a cold round.
	const samples = await interleave(rounds, measures);
	const measured = { name: `sync of ${name}`, unit, measured: "sync" } as const;
	return [
		compare(samples, { ...measured, against: "plain GET to disk, unchecked", baseline: "get", aim: { atLeast: 0.6 } }),
		compare(samples, { ...measured, against: "cp -r", baseline: "copy" }),
	];
}

/** Makes the agent write the files in its own run. @returns the terminal snapshot */
async function deliver(bridge: BridgeProcess, files: number, bytes: number): Promise<Snapshot> {
	const params = turn({ prompt: `UNRULY:WRITE_MANY ${files} ${bytes} ;; SAY written`, providerId: agentId });
	const stream = await bridge.client().stream("session.start", params, { idleMs: RUN_BOUND_MS });
	const end = await stream.ended;
	if (end.kind !== "response") throw new Error(`the run did not end: ${JSON.stringify(end)}`);
	const snapshot = Snapshot.parse(end.snapshot);
	if (snapshot.status !== "completed" || snapshot.artifacts.count !== files) throw new Error(JSON.stringify(snapshot).slice(0, 2000));
	return snapshot;
}

async function inFreshFolder(bridge: BridgeProcess, act: (folder: string) => Promise<number>): Promise<number> {
	const folder = join(bridge.home.path, "received");
	await mkdir(folder);
	// Flushes earlier writes, so that they do not slow down this round.
	spawnSync("sync");
	try {
		return await act(folder);
	} finally {
		await rm(folder, { recursive: true });
	}
}

async function timed(program: Program, job: object): Promise<number> {
	return z.object({ ms: z.number() }).parse(await program.ask(job)).ms;
}

async function copy(from: string, to: string): Promise<number> {
	const start = performance.now();
	const { status, stderr } = spawnSync("cp", ["-r", from, to], { encoding: "utf8" });
	if (status !== 0) throw new Error(stderr);
	return performance.now() - start;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder, { recursive: true });
	const stats = await Promise.all(names.map(async (name) => ({ name, stats: await stat(join(folder, name)) })));
	return stats.filter((entry) => entry.stats.isFile()).map(({ name }) => name);
}
