import { once } from "node:events";
import { acquireHomeLock } from "../../src/store/sqlite/index.ts";

// Takes a home and holds it until killed.

const lock = acquireHomeLock(process.argv[2] ?? "");
process.stdout.write(`${lock.directory}\n`);
const hour = setInterval(() => undefined, 3_600_000);
await once(process, "SIGTERM");
clearInterval(hour);
lock[Symbol.dispose]();
