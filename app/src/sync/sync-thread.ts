import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "@xworkmate/platform/errors";
import { FolderDisk } from "./disk/folder-disk.ts";
import type { SyncPlace } from "./disk/sync-disk.ts";
import type { ThreadAnswer, ThreadRequest } from "./disk/thread-protocol.ts";

// The thread that does a sync's disk work: the app's own thread stays free for streams and the window.
// It loads none of the schemas, which would cost more than the work; its place comes from open-sync-disk.
const place: SyncPlace = workerData;
const disk = new FolderDisk(place);

function act(request: ThreadRequest): Promise<unknown> {
	switch (request.type) {
		case "begin":
			return disk.begin(request.wanted);
		case "write":
			return disk.write(request.batch);
		case "publish":
			return disk.publish();
		case "discard":
			return disk[Symbol.asyncDispose]();
	}
}

parentPort?.on("message", async ({ id, request }: { readonly id: number; readonly request: ThreadRequest }) => {
	const answer = await answerTo(id, request);
	const given = request.type === "write" ? [request.batch.bytes.buffer] : [];
	parentPort?.postMessage(answer, given);
});

async function answerTo(id: number, request: ThreadRequest): Promise<ThreadAnswer> {
	try {
		return { id, value: await act(request) };
	} catch (error) {
		return { id, error: errorMessage(error) };
	}
}
