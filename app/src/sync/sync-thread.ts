import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "@xworkmate/platform/errors";
import { diskOperations } from "./disk/disk-operations.ts";
import { FolderDisk } from "./disk/folder-disk.ts";
import type { SyncPlace } from "./disk/sync-disk.ts";
import type { ThreadAnswer, ThreadRequest } from "./disk/thread-protocol.ts";

// The worker thread that does a sync's disk work, so that the app's main thread stays free for streams and the page. It does not load the
// schemas, because that would take longer than the work. open-sync-disk.ts starts it.
const place: SyncPlace = workerData;
const disk = new FolderDisk(diskOperations, place);

function act(request: ThreadRequest): unknown {
	switch (request.type) {
		case "begin":
			return disk.begin(request.wanted);
		case "write":
			return disk.write(request.batch);
		case "publish":
			return disk.publish();
		case "discard":
			return disk.discard();
	}
}

parentPort?.on("message", ({ id, request }: { readonly id: number; readonly request: ThreadRequest }) => {
	const answer = answerTo(id, request);
	const given = request.type === "write" ? [request.batch.bytes.buffer] : [];
	parentPort?.postMessage(answer, given);
});

function answerTo(id: number, request: ThreadRequest): ThreadAnswer {
	try {
		return { id, value: act(request) };
	} catch (error) {
		return { id, error: errorMessage(error) };
	}
}
