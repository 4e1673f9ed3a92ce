import { tellBench } from "./parent.ts";

/** Sends every message back: the least that a call into another process costs. */
process.on("message", (message) => process.send?.(message));
tellBench({});
