import { parentPort } from "node:worker_threads";
import { errorMessage } from "@xworkmate/platform/errors";
import { type SealTask, sealScope } from "./export/seal-scope.ts";

// Its own thread: hashing gigabytes must not keep the gateway from its other work.
parentPort?.on("message", (task: SealTask) => {
	try {
		sealScope(task);
		parentPort?.postMessage({ sealed: true });
	} catch (error) {
		parentPort?.postMessage({ sealed: false, message: errorMessage(error) });
	}
});
