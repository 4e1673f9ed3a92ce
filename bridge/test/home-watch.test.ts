import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HomeWatch } from "../src/home-watch.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import type { StoreError } from "../src/store/store-error.ts";
import { acceptance, runRecord } from "./store/contracts/run-fixture.ts";

async function watched(everyMs: number) {
	const root = await mkdtemp(join(tmpdir(), "watch "));
	const home = join(root, "home");
	await mkdir(home);
	const store = openSqliteStore(home);
	const { promise: gone, resolve } = Promise.withResolvers<StoreError>();
	const watch = new HomeWatch(join(home, "bridge.sqlite"), resolve, everyMs);
	const dispose = async () => {
		watch[Symbol.dispose]();
		store.close();
		await rm(root, { recursive: true, force: true });
	};
	return { home, store, watch, gone, [Symbol.asyncDispose]: dispose };
}

it.each<[string, (home: string) => Promise<unknown>]>([
	["deleted", (home) => rm(home, { recursive: true })],
	["moved away", (home) => rename(home, `${home}.moved`)],
	[
		"replaced by another",
		async (home) => {
			await rename(home, `${home}.moved`);
			await mkdir(home);
			await writeFile(join(home, "bridge.sqlite"), "");
		},
	],
])("sees that the home was %s, and names it", async (_, spoil) => {
	await using at = await watched(60_000);
	expect(at.watch.isThere).toBe(true);
	await spoil(at.home);
	expect(at.watch.isThere).toBe(false);
	expect(await at.gone).toMatchObject({ code: "HOME_GONE", message: expect.stringContaining(at.home) });
});

it("notices by itself that the home is gone, when nobody asks", async () => {
	await using at = await watched(10);
	await rm(at.home, { recursive: true });
	expect((await at.gone).code).toBe("HOME_GONE");
});

it("takes neither a run nor the end of one once the home is gone, however long the next look is away", async () => {
	await using at = await watched(60_000);
	const log = at.watch.guard(at.store.log);
	const record = runRecord("run-1");
	await log.insertRun(record, acceptance(record));
	await rm(at.home, { recursive: true });
	const refused = { name: "ContractError", code: "INTERNAL", detail: expect.stringContaining("deleted, moved or unmounted") };
	await expect(log.append([])).rejects.toMatchObject(refused);
	await expect(log.insertRun(record, acceptance(record))).rejects.toMatchObject(refused);
	expect((await at.gone).code).toBe("HOME_GONE");
});
