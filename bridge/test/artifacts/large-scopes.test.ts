import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUN, sha256, type VaultFixture, vaultFixture } from "./artifact-store-fixture.ts";

const MIB = 1024 ** 2;

/** Highest growth of the process's memory, in bytes, while a step runs. */
async function memoryGrowth(step: () => Promise<unknown>): Promise<number> {
	const before = process.memoryUsage.rss();
	let highest = before;
	const watch = setInterval(() => {
		highest = Math.max(highest, process.memoryUsage.rss());
	}, 5);
	try {
		await step();
	} finally {
		clearInterval(watch);
	}
	return highest - before;
}

function sparse(fixture: VaultFixture, name: string, bytes: number): void {
	writeFileSync(join(fixture.scope, name), "");
	truncateSync(join(fixture.scope, name), bytes);
}

describe("large scopes", () => {
	it("collects 10,000 files", async () => {
		await using fixture = await vaultFixture();
		for (let folder = 0; folder < 100; folder++) mkdirSync(join(fixture.scope, `${folder}`));
		for (let file = 0; file < 10_000; file++) writeFileSync(join(fixture.scope, `${file % 100}/${file}.txt`), `file ${file}`);
		const { items, rejected } = await fixture.collect();
		expect(rejected).toEqual([]);
		expect(items).toHaveLength(10_000);
		expect(items.find((item) => item.relativePath === "34/1234.txt")?.sha256).toBe(sha256("file 1234"));
		expect(await fixture.artifactStore.remove(RUN)).toBe(items.reduce((sum, item) => sum + item.sizeBytes, 0));
	}, 120_000);

	it("holds no file whole in memory: 300 MiB grow it by less than 48 MiB", async () => {
		await using fixture = await vaultFixture();
		fixture.write("warm-up.txt");
		await fixture.collect();
		sparse(fixture, "large.bin", 300 * MIB);
		expect(await memoryGrowth(() => fixture.collect())).toBeLessThan(48 * MIB);
	}, 120_000);

	// Writes 5 GB: only when asked for.
	it.runIf(process.env.LARGE_FILES === "1")(
		"collects one file of 5 GB in the same memory",
		async () => {
			await using fixture = await vaultFixture();
			sparse(fixture, "huge.bin", 5_000_000_000);
			expect(await memoryGrowth(() => fixture.collect())).toBeLessThan(64 * MIB);
			expect(await fixture.artifactStore.remove(RUN)).toBe(5_000_000_000);
		},
		600_000,
	);
});
