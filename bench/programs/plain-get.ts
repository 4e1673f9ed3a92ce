import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { answerJobs } from "./parent.ts";

/** As many parallel requests as the sync uses for individual files. */
const AT_ONCE = 4;

const Job = z.object({ port: z.number(), folder: z.string(), paths: z.array(z.string()) });
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Plain GETs over kept-alive connections, each streamed into a file, without checks and without flushing. */
async function download({ port, folder, paths }: z.infer<typeof Job>): Promise<void> {
	const made = new Set<string>();
	const queue = paths.values();
	const worker = async () => {
		for (const path of queue) {
			const target = join(folder, path);
			if (!made.has(dirname(target))) await mkdir(dirname(target), { recursive: true });
			made.add(dirname(target));
			await pipeline(await open(port, path), createWriteStream(target));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function open(port: number, path: string): Promise<IncomingMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	get({ host: "127.0.0.1", port, path: `/${encodeURI(path)}`, agent }, (response) => {
		if (response.statusCode === 200) resolve(response);
		else reject(new Error(`HTTP ${response.statusCode} for ${path}`));
	}).once("error", reject);
	return promise;
}

answerJobs((job) => download(Job.parse(job)));
