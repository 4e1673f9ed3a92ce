import { parentPort } from "node:worker_threads";
import { errorMessage } from "@xworkmate/platform/errors";
import { type SealTask, sealScope } from "./export/seal-scope.ts";

// A separate worker thread, because hashing gigabytes would block the gateway.
parentPort?.on("message", (task: SealTask) => {
	try {
		sealScope(task);
		parentPort?.postMessage({ sealed: true });
	} catch (error) {
		parentPort?.postMessage({ sealed: false, message: errorMessage(error) });
	}
});
