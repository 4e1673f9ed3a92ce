import { acquireHomeLock, StoreError } from "../../src/store/sqlite/index.ts";

// Tries to take a home and says how that went.

try {
	acquireHomeLock(process.argv[2] ?? "")[Symbol.dispose]();
	process.stdout.write("free\n");
} catch (error) {
	process.stdout.write(`${error instanceof StoreError ? error.code : String(error)}\n`);
}
