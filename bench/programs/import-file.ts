import { answerJobs } from "./parent.ts";

/** Imports a file when it starts. */
await import(process.argv[2] ?? "");
answerJobs(async () => undefined);
