import { tellBench } from "./parent.ts";

/** Sends every message back: the minimum cost of a call to another process. */
process.on("message", (message) => process.send?.(message));
tellBench({});
