import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { StoreUnderTest } from "./contracts/store-under-test.ts";

/** Its own directory, removed when disposed of. */
export async function scratchDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
	const path = await mkdtemp(join(tmpdir(), "xworkmate-store-"));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A store in a real file. */
export async function openSqliteUnderTest(): Promise<StoreUnderTest & { readonly home: string }> {
	const scratch = await scratchDirectory();
	let store = openSqliteStore(scratch.path);
	return {
		home: scratch.path,
		ports: store,
		reopen: async () => {
			store.close();
			store = openSqliteStore(scratch.path);
			return store;
		},
		[Symbol.asyncDispose]: async () => {
			store.close();
			await scratch[Symbol.asyncDispose]();
		},
	};
}
