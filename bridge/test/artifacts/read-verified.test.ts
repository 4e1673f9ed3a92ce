import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExpectedFile, readVerified, statVerified } from "../../src/artifacts/read-verified.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { sha256 } from "./vault-fixture.ts";

const KIB = 1024;

async function stored(content: Uint8Array) {
	const directory = await temporaryDirectory();
	const path = join(directory.path, "file.bin");
	writeFileSync(path, content);
	const expected: ExpectedFile = { sizeBytes: content.length, sha256: sha256(content) };
	return { path, expected, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

/** What a caller that follows the rule gets: each chunk copied before the next is asked for. */
async function received(path: string, expected: ExpectedFile): Promise<{ bytes: Buffer; error?: unknown }> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of readVerified(path, expected)) chunks.push(Buffer.from(chunk));
	} catch (error) {
		return { bytes: Buffer.concat(chunks), error };
	}
	return { bytes: Buffer.concat(chunks) };
}

describe("reading a stored file", () => {
	it("gives the same bytes for any size", async () => {
		const size = fc.oneof(fc.nat(2000), fc.constantFrom(256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 1024 * KIB, 1100 * KIB));
		await fc.assert(
			fc.asyncProperty(size, async (length) => {
				const content = Buffer.alloc(length, `${length}.`);
				await using file = await stored(content);
				await statVerified(file.path, file.expected);
				expect((await received(file.path, file.expected)).bytes.equals(content)).toBe(true);
			}),
			{ numRuns: 25 },
		);
	});

	it.each([10, 300 * KIB, 1024 * KIB])("never gives a damaged file of %i bytes whole", async (length) => {
		const content = Buffer.alloc(length, "x");
		await using file = await stored(content);
		content[0] = 0;
		writeFileSync(file.path, content);
		await statVerified(file.path, file.expected);
		const { bytes, error } = await received(file.path, file.expected);
		expect(error).toMatchObject({ name: "ArtifactChangedError", code: "ARTIFACT_CHANGED", change: "hash" });
		expect(bytes.length).toBeLessThan(length);
	});

	it("refuses a wrong size, a missing file and a link before the first byte", async () => {
		await using file = await stored(Buffer.from("hello"));
		const refused = (path: string, expected: ExpectedFile, change: string) =>
			Promise.all([
				expect(statVerified(path, expected)).rejects.toMatchObject({ change }),
				expect(readVerified(path, expected).next()).rejects.toMatchObject({ change }),
			]);
		await refused(file.path, { ...file.expected, sizeBytes: 4 }, "size");
		await refused(join(file.path, ".."), file.expected, "not_a_file");
		symlinkSync(file.path, `${file.path}.link`);
		await refused(`${file.path}.link`, file.expected, "missing");
		rmSync(file.path);
		await refused(file.path, file.expected, "missing");
	});

	it("checks the hash of an empty file too", async () => {
		await using file = await stored(Buffer.alloc(0));
		expect((await received(file.path, file.expected)).bytes).toHaveLength(0);
		expect((await received(file.path, { sizeBytes: 0, sha256: sha256("x") })).error).toMatchObject({ change: "hash" });
	});

	it("lets a reader stop early", async () => {
		await using file = await stored(Buffer.alloc(2048 * KIB));
		for await (const chunk of readVerified(file.path, file.expected)) {
			expect(chunk.length).toBeGreaterThan(0);
			break;
		}
	});
});
