import type { ProcessFunctions } from "../../src/api/process-rows.ts";

/** The process around an app, as an earlier version describes it. */
export const fakeProcess: ProcessFunctions = { ping: async () => ({ pid: process.pid }), endApp: async () => undefined };
