import { parentPort, workerData } from "node:worker_threads";
import { sealScope } from "./seal/seal-scope.ts";

// A thread of its own: hashing gigabytes must not keep the gateway from its other work.
sealScope(workerData);
parentPort?.postMessage("sealed");
