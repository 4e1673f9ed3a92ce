import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { OPENCLAW_ARTIFACT_ROUTE, OpenClawRunRef, openClawMethods } from "@xworkmate/contracts";
import { z } from "zod";
import { startFakeModel } from "../../e2e/support/model/fake-model.ts";
import type { GatewayClient } from "../../e2e/support/openclaw/openclaw-client.ts";
import { createGateway, type OpenClawGateway } from "../../e2e/support/openclaw/openclaw-gateway.ts";
import { buildPlugin } from "../../e2e/support/openclaw/openclaw-plugin.ts";
import type { BenchOptions } from "../options.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";

const KB = 1000;
const MIB = 1024 * 1024;
const WAIT_MS = 60_000;

interface Scope {
	readonly ref: OpenClawRunRef;
	/** Absolute; on the gateway's machine, which is this one. */
	readonly folder: string;
}

/** The plugin's export of a scope compared with reading and hashing the same files, and its tar stream compared with a plain GET. */
export async function benchOpenClaw({ quick }: BenchOptions): Promise<readonly Result[]> {
	await using model = await startFakeModel();
	const gateway = await createGateway({ modelUrl: model.url, plugins: [buildPlugin()] });
	const pid = await gateway.pid();
	endWithBench(pid);
	try {
		const files = quick ? 100 : 1_000;
		const rounds = quick ? 2 : 5;
		return [
			await benchExport(gateway, { files, bytes: 100 * KB, rounds }),
			await benchExport(gateway, { files, bytes: 4 * KB, rounds }),
			await benchTar(gateway, { files, bytes: 100 * KB, rounds }),
		];
	} finally {
		await gateway.remove();
		hasEnded(pid);
	}
}

interface Load {
	readonly files: number;
	readonly bytes: number;
	readonly rounds: number;
}

/** Throughput of files that are checked, hashed, sealed and listed; each round has its own run. */
async function benchExport(gateway: OpenClawGateway, { files, bytes, rounds }: Load): Promise<Result> {
	using client = await gateway.connect();
	await using plain = await Program.start("./hash-files.ts");
	const samples = [];
	// The first round is a warm-up for both.
	for (let round = 0; round <= rounds; round++) {
		const scope = await endedRun(client, files, bytes);
		const [sample] = await interleave(1, {
			plain: async () => files / (await timed(plain, { folder: scope.folder })),
			export: async () => files / (await exported(client, scope)),
		});
		if (sample !== undefined && round > 0) samples.push(sample);
	}
	return compare(samples, {
		name: `OpenClaw plugin: export of ${files} x ${bytes / KB} kB`,
		unit: "files/s",
		measured: "export",
		against: "reading and hashing the same files",
		baseline: "plain",
		aim: { atLeast: 0.5 },
	});
}

async function benchTar(gateway: OpenClawGateway, { files, bytes, rounds }: Load): Promise<Result> {
	using client = await gateway.connect();
	const scope = await endedRun(client, files, bytes);
	await exported(client, scope);
	const folder = join(gateway.place.folder, "one");
	await mkdir(folder);
	await writeFile(join(folder, "all"), randomBytes(files * bytes));
	await using fileServer = await Program.start("./file-server.ts", [folder]);
	const { port } = z.object({ port: z.number() }).parse(fileServer.ready);
	const query = new URLSearchParams({ sessionKey: scope.ref.sessionKey, artifactScope: scope.ref.artifactScope });
	const tar = `http://127.0.0.1:${gateway.place.port}${OPENCLAW_ARTIFACT_ROUTE}/${scope.ref.runId}?${query}`;
	const perSecond = (seconds: number) => (files * bytes) / MIB / seconds;
	const measures = {
		get: async () => perSecond(await drained(`http://127.0.0.1:${port}/all`, "")),
		tar: async () => perSecond(await drained(tar, gateway.place.token)),
	};
	await interleave(1, measures);
	return compare(await interleave(rounds, measures), {
		name: `OpenClaw plugin: tar of ${files} x ${bytes / KB} kB`,
		unit: "MiB/s",
		measured: "tar",
		against: "plain GET of one file of that size",
		baseline: "get",
	});
}

/** An ended run with this many files in its scope. */
async function endedRun(client: GatewayClient, files: number, bytes: number): Promise<Scope> {
	const runId = `bench-${randomUUID()}`;
	const ref = OpenClawRunRef.parse({
		runId,
		sessionKey: `agent:main:xwm-${randomBytes(12).toString("hex")}`,
		artifactScope: `tasks/bench-${randomBytes(6).toString("hex")}/${runId}`,
	});
	const prepared = await client.request("xworkmate.session.prepare", { ...ref, hold: "none" });
	const { artifactDirectory: folder } = openClawMethods["xworkmate.session.prepare"].result.parse(prepared);
	for (let n = 0; n < files; n++) await writeFile(join(folder, `${n}.bin`), randomBytes(bytes));
	await client.request("chat.send", { sessionKey: ref.sessionKey, message: "FAKE:SAY done", idempotencyKey: ref.runId });
	await client.request("agent.wait", { runId: ref.runId, timeoutMs: WAIT_MS }, WAIT_MS + 5_000);
	return { ref, folder };
}

/** Seconds until the scope is sealed and its whole manifest has arrived. */
async function exported(client: GatewayClient, { ref }: Scope): Promise<number> {
	const start = performance.now();
	await client.request("xworkmate.artifacts.collect-and-snapshot", { ...ref, waitMs: 0 }, WAIT_MS);
	let afterPath: string | undefined;
	for (let complete = false; !complete; ) {
		const page = await client.request("xworkmate.artifacts.export", {
			...ref,
			limit: 1000,
			...(afterPath === undefined ? {} : { afterPath }),
		});
		const { items, ...rest } = openClawMethods["xworkmate.artifacts.export"].result.parse(page);
		complete = rest.complete;
		afterPath = items.at(-1)?.relativePath;
	}
	return (performance.now() - start) / 1000;
}

async function timed(program: Program, job: object): Promise<number> {
	return z.object({ ms: z.number() }).parse(await program.ask(job)).ms / 1000;
}

/** Seconds until the last byte has arrived; the bytes are discarded. */
async function drained(url: string, token: string): Promise<number> {
	const start = performance.now();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
		if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode} for ${url}`));
		response.once("error", reject).once("end", resolve).resume();
	}).once("error", reject);
	await promise;
	return (performance.now() - start) / 1000;
}
