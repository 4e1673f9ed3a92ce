import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { artifactPathProblem, artifactsDigest, compareBytes } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUN, sha256, vaultFixture } from "./artifact-store-fixture.ts";

/** Names that meet on some disks, that sort oddly, that are refused, and that are honest. */
const segment = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom("a", "A", "b", "a b", "a-b", "é", "e\u0301", "ß", "SS", "z.md", "ﬁ", "Ω", "日本") },
	{ weight: 1, arbitrary: fc.constantFrom(".keep", ".hidden", ".xworkmate", ".versions", "a\u202eb", "a\\b", "\u001b[0m") },
);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/"));
const entry = fc.record({ path, link: fc.boolean(), content: fc.string({ maxLength: 20 }) });

/** Every run syncs real files: a busy disk gets through fewer of them. */
const bounded = { interruptAfterTimeLimit: 8_000 } as const;

/** Builds a tree; entries in the way of earlier ones are left out, as a disk would refuse them. */
function build(scope: string, entries: readonly { path: string; link: boolean; content: string }[]): void {
	rmSync(scope, { recursive: true, force: true });
	mkdirSync(scope, { recursive: true });
	for (const { path, link, content } of entries) {
		try {
			mkdirSync(dirname(join(scope, path)), { recursive: true });
			if (link) symlinkSync("/etc/hostname", join(scope, path));
			else writeFileSync(join(scope, path), content, { flag: "wx" });
		} catch (error) {
			if (!(error instanceof Error && "code" in error && ["EEXIST", "ENOTDIR"].includes(String(error.code)))) throw error;
		}
	}
}

function onDisk(scope: string): readonly string[] {
	const entries = readdirSync(scope, { recursive: true, withFileTypes: true }).filter((found) => !found.isDirectory());
	return entries.map((found) => join(found.parentPath, found.name).slice(scope.length + 1)).sort();
}

/** sha256sum's own lines over a directory, sorted by bytes, hashed. */
function digestBySha256sum(directory: string): string {
	const script = "find . -type f -print0 | sed -z 's,^\\./,,' | xargs -0 -r sha256sum | LC_ALL=C sort | sha256sum | cut -c1-64";
	return execFileSync("bash", ["-c", script], { cwd: directory, encoding: "utf8" }).trim();
}

describe("any tree", () => {
	it("accepts or rejects every file exactly once, in byte order, safe paths alone", async () => {
		await using fixture = await vaultFixture();
		await fc.assert(
			fc.asyncProperty(fc.array(entry, { maxLength: 25, size: "max" }), async (entries) => {
				build(fixture.scope, entries);
				const { items, rejected } = await fixture.collect();
				const accepted = items.map((item) => item.relativePath);
				expect([...accepted, ...rejected.map((one) => one.path)].sort()).toEqual(onDisk(fixture.scope));
				expect(accepted.toSorted(compareBytes)).toEqual(accepted);
				expect(accepted.filter((one) => artifactPathProblem(one) !== undefined)).toEqual([]);
			}),
			{ ...bounded, numRuns: 60 },
		);
	}, 30_000);

	it("is collected the same way twice, and stored as the digest says", async () => {
		await using fixture = await vaultFixture();
		await fc.assert(
			fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 25, size: "max" }), async (entries) => {
				build(fixture.scope, entries);
				const first = await fixture.collect();
				expect(await fixture.collect()).toEqual(first);
				if (first.items.length === 0) return;
				expect(artifactsDigest(first.items)).toBe(digestBySha256sum(join(fixture.root, RUN)));
			}),
			{ ...bounded, numRuns: 30 },
		);
	}, 30_000);

	it("keeps bytes and hashes together", async () => {
		await using fixture = await vaultFixture();
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (content) => {
				build(fixture.scope, []);
				fixture.write("file.bin", content);
				const [item] = (await fixture.collect()).items;
				expect(item).toMatchObject({ sizeBytes: content.length, sha256: sha256(content) });
			}),
			{ ...bounded, numRuns: 30 },
		);
	}, 30_000);
});
