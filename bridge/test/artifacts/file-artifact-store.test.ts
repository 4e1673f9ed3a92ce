import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Artifact, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { createArtifactStore } from "../../src/artifacts/file-artifact-store.ts";
import { openRequest, RUN, sha256, vaultFixture, writeFile } from "./artifact-store-fixture.ts";

describe("the artifact artifact store", () => {
	it("copies the scope's files with size, hash, type and time", async () => {
		await using fixture = await vaultFixture();
		fixture.write("report.md", "# hello");
		fixture.write("data/table one.csv", "a,b\n");
		utimesSync(join(fixture.scope, "report.md"), 0, 1_700_000_000.1239);
		const { items, rejected } = await fixture.collect();
		expect(rejected).toEqual([]);
		expect(items.map((item) => Artifact.parse(item).relativePath)).toEqual(["data/table one.csv", "report.md"]);
		expect(items[1]).toEqual({
			relativePath: "report.md",
			sizeBytes: 7,
			sha256: sha256("# hello"),
			mediaType: "text/markdown",
			modifiedAt: "2023-11-14T22:13:20.123Z",
			artifactRef: "/artifacts/run-1/report.md",
		});
		expect(items[0]?.artifactRef).toBe("/artifacts/run-1/data/table%20one.csv");
		expect(readFileSync(join(fixture.root, RUN, "data/table one.csv"), "utf8")).toBe("a,b\n");
	});

	it("keeps the copies to itself: files 0600, directories 0700", async () => {
		await using fixture = await vaultFixture();
		fixture.write("a/b.txt");
		await fixture.collect();
		const mode = (path: string) => statSync(path).mode & 0o777;
		expect([mode(join(fixture.root, RUN)), mode(join(fixture.root, RUN, "a")), mode(join(fixture.root, RUN, "a/b.txt"))]).toEqual([
			0o700, 0o700, 0o600,
		]);
	});

	it("[T4-64] collects nothing from a scope that is not there, or empty", async () => {
		await using fixture = await vaultFixture();
		expect(await fixture.collect()).toEqual({ items: [], rejected: [] });
		rmSync(fixture.scope, { recursive: true });
		expect(await fixture.collect()).toEqual({ items: [], rejected: [] });
		expect(existsSync(join(fixture.root, RUN))).toBe(false);
	});

	it("[T4-33] replaces the run's earlier copy whole when it collects again", async () => {
		await using fixture = await vaultFixture();
		fixture.write("old.txt");
		fixture.write("same.txt", "before");
		await fixture.collect();
		rmSync(join(fixture.scope, "old.txt"));
		fixture.write("same.txt", "after");
		expect(await fixture.stored()).toEqual({ "same.txt": "after" });
		expect(readdirSync(join(fixture.root, RUN))).toEqual(["same.txt"]);
		rmSync(join(fixture.scope, "same.txt"));
		expect((await fixture.collect()).items).toEqual([]);
		expect(existsSync(join(fixture.root, RUN))).toBe(false);
	});

	it("serves the copy whatever happens to the scope afterwards", async () => {
		await using fixture = await vaultFixture();
		fixture.write("report.md", "final");
		await fixture.collect();
		fixture.write("report.md", "late write");
		fixture.write("late.md", "late");
		expect(readFileSync(join(fixture.root, RUN, "report.md"), "utf8")).toBe("final");
		expect(existsSync(join(fixture.root, RUN, "late.md"))).toBe(false);
	});

	it("keeps runs apart, and removes one with its byte count", async () => {
		await using fixture = await vaultFixture();
		const other = RunId.parse("run-2");
		fixture.write("a.txt", "12345");
		fixture.write("b/c.txt", "678");
		await fixture.collect();
		await fixture.collect({ runId: other });
		expect(await fixture.artifactStore.remove(RUN)).toBe(8);
		expect(await fixture.artifactStore.remove(RUN)).toBe(0);
		expect(existsSync(join(fixture.root, RUN))).toBe(false);
		expect(readFileSync(join(fixture.root, other, "a.txt"), "utf8")).toBe("12345");
	});

	it.each(["../run-2/a.txt", "/etc/passwd", "a//b", "", ".xworkmate/manifest.json", "a\0b"])(
		"opens nothing at %j",
		async (relativePath) => {
			await using fixture = await vaultFixture();
			fixture.write("report.md", "final");
			const [artifact] = (await fixture.collect()).items;
			if (artifact === undefined) throw new Error("one file was collected");
			const elsewhere = { ...artifact, relativePath };
			await expect(fixture.artifactStore.open(RUN, elsewhere)).rejects.toMatchObject({ code: "FORBIDDEN_PATH" });
			expect(() => fixture.artifactStore.has(RUN, elsewhere)).toThrow(expect.objectContaining({ code: "FORBIDDEN_PATH" }));
		},
	);

	it("takes two collections of one run at once: one whole copy is left", async () => {
		await using fixture = await vaultFixture();
		for (let file = 0; file < 50; file++) fixture.write(`${file}.txt`);
		const collected = await Promise.all(Array.from({ length: 4 }, () => fixture.collect()));
		for (const { items } of collected) expect(items).toHaveLength(50);
		expect(readdirSync(join(fixture.root, RUN))).toHaveLength(50);
		expect(readdirSync(join(fixture.root, ".staging"))).toEqual([]);
	});

	it("removes what a crash left in staging before it collects", async () => {
		await using fixture = await vaultFixture();
		writeFile(join(fixture.root, ".staging", "run-0.dead", "half.bin"), "half");
		fixture.write("a.txt");
		await fixture.collect();
		expect(readdirSync(join(fixture.root, ".staging"))).toEqual([]);
	});
});

describe("a collection that cannot finish", () => {
	it("rejects with the signal's reason when it was aborted before, and touches nothing", async () => {
		await using fixture = await vaultFixture();
		fixture.write("a.txt", "first");
		await fixture.collect();
		fixture.write("a.txt", "second");
		const reason = new Error("stop");
		await expect(fixture.collect({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(readFileSync(join(fixture.root, RUN, "a.txt"), "utf8")).toBe("first");
	});

	it("leaves the earlier copy when it is aborted at once, also if the scope is empty by then", async () => {
		await using fixture = await vaultFixture();
		fixture.write("a.txt", "first");
		await fixture.collect();
		rmSync(join(fixture.scope, "a.txt"));
		const [abort, reason] = [new AbortController(), new Error("stop")];
		const collecting = fixture.collect({ signal: abort.signal });
		abort.abort(reason);
		await expect(collecting).rejects.toBe(reason);
		expect(readFileSync(join(fixture.root, RUN, "a.txt"), "utf8")).toBe("first");
	});

	it("stops in the middle of a large file, leaves the earlier copy and no staging", async () => {
		await using fixture = await vaultFixture();
		fixture.write("a.txt", "first");
		await fixture.collect();
		writeFileSync(join(fixture.scope, "large.bin"), "");
		truncateSync(join(fixture.scope, "large.bin"), 10 * 1024 ** 3);
		const abort = new AbortController();
		const collecting = fixture.collect({ signal: abort.signal });
		await expect.poll(() => stagedBytes(fixture.root), { timeout: 5_000, interval: 5 }).toBeGreaterThan(0);
		abort.abort(new Error("stop"));
		await expect(collecting).rejects.toThrow("stop");
		expect(readdirSync(join(fixture.root, ".staging"))).toEqual([]);
		expect(readFileSync(join(fixture.root, RUN, "a.txt"), "utf8")).toBe("first");
	});

	it("names its own store's trouble VAULT_IO, and never blames the files", async () => {
		await using fixture = await vaultFixture();
		fixture.write("a.txt");
		mkdirSync(join(fixture.elsewhere, "x"));
		writeFileSync(join(fixture.elsewhere, "x", "artifacts"), "a file where the store should be");
		await using artifactStore = createArtifactStore({ root: join(fixture.elsewhere, "x", "artifacts") });
		await expect(artifactStore.collect(openRequest(fixture.scope))).rejects.toMatchObject({ name: "ArtifactStoreError", code: "VAULT_IO" });
	});
});

function stagedBytes(root: string): number {
	const staged = readdirSync(join(root, ".staging"), { recursive: true, withFileTypes: true });
	return staged
		.filter((entry) => entry.name === "large.bin")
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
