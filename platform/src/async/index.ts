export { AutoResetEvent } from "./auto-reset-event.ts";
export { KeyedQueue } from "./keyed-queue.ts";
