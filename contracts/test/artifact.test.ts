import { createHash } from "node:crypto";
import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactPathProblem, artifactRef, artifactsDigest, caseFold, compareBytes, RunId, safeMediaType } from "../src/index.ts";
import { anyPaths } from "./arbitraries.ts";

const hashes = fc.stringMatching(/^[0-9a-f]{64}$/);
const items = fc.array(fc.record({ sha256: hashes, relativePath: fc.string({ unit: "grapheme" }) }), { maxLength: 30 });

/** Characters at the edges of the UTF-8 and UTF-16 ranges. */
const oddTexts = fc.string({
	unit: fc.constantFrom("a", "\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\uff5e", "\u{1f600}", "\u{10ffff}"),
});

/** The same sum by other means: byte buffers, node:crypto. */
function naiveDigest(list: readonly { sha256: string; relativePath: string }[]): string {
	const lines = list.map((item) => Buffer.from(`${item.sha256}  ${item.relativePath}\n`)).sort(Buffer.compare);
	return createHash("sha256").update(Buffer.concat(lines)).digest("hex");
}

describe("the artifacts' digest", () => {
	it("is the sha256 over the sorted lines", () => {
		fc.assert(
			fc.property(items, (list) => {
				expect(artifactsDigest(list)).toBe(naiveDigest(list));
			}),
		);
	});

	it("does not depend on the order of the files", () => {
		fc.assert(
			fc.property(items, fc.integer(), (list, seed) => {
				const shuffled = list.toSorted((a, b) => (a.sha256.charCodeAt(0) ^ seed) - (b.sha256.charCodeAt(0) ^ seed));
				expect(artifactsDigest(shuffled)).toBe(artifactsDigest(list));
			}),
		);
	});

	it("is that of sort in byte order where files of one content differ in name alone", () => {
		const twins = ["\u{1f600}", "\uff5e", "a"].map((relativePath) => ({ sha256: "0".repeat(64), relativePath }));
		expect(artifactsDigest(twins)).toBe(naiveDigest(twins));
	});

	it("differs when a name or a hash does", () => {
		const sha256 = "0".repeat(64);
		const digest = artifactsDigest([{ sha256, relativePath: "a" }]);
		expect(artifactsDigest([{ sha256, relativePath: "b" }])).not.toBe(digest);
		expect(artifactsDigest([{ sha256: "1".repeat(64), relativePath: "a" }])).not.toBe(digest);
		expect(artifactsDigest([])).toBe(createHash("sha256").digest("hex"));
	});

	it("orders by bytes, not by UTF-16 units", () => {
		// U+FF5E sorts after U+1F600 by units, before it by bytes.
		expect(compareBytes("\uff5e", "\u{1f600}")).toBeLessThan(0);
		fc.assert(
			fc.property(oddTexts, oddTexts, (a, b) => {
				expect(Math.sign(compareBytes(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
			}),
		);
	});
});

describe("an artifact's path", () => {
	it("stays inside its scope whenever it is accepted", () => {
		fc.assert(
			fc.property(anyPaths, (path) => {
				if (artifactPathProblem(path) !== undefined) return;
				expect(posix.normalize(path)).toBe(path);
				expect(posix.isAbsolute(path)).toBe(false);
				expect(path.split("/")).not.toContain("..");
				expect(path.normalize("NFC")).toBe(path);
				expect(path).not.toMatch(/[\0\\]/);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		["../x", "unsafe_name"],
		["/etc/passwd", "unsafe_name"],
		["a\\..\\b", "unsafe_name"],
		["a/./b", "unsafe_name"],
		["x\0", "unsafe_name"],
		["e\u0301", "unsafe_name"],
		[".xworkmate", "reserved_name"],
		[".XWORKMATE/a", "reserved_name"],
		[".versions/a", "reserved_name"],
		["a/.versions/b", undefined],
	])("%j is %s", (path, problem) => {
		expect(artifactPathProblem(path)).toBe(problem);
	});

	it("collides with its other spellings", () => {
		expect(caseFold("Stra\u00dfe/A")).toBe(caseFold("stra\u00dfe/a"));
		expect(caseFold("e\u0301")).toBe(caseFold("\u00c9"));
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (path) => {
				expect(caseFold(caseFold(path))).toBe(caseFold(path));
			}),
		);
	});
});

describe("an artifact's address", () => {
	it("names one path, whatever characters it has", () => {
		const runId = RunId.parse("run_1");
		expect(artifactRef(runId, "a b/c#d?.txt")).toBe("/artifacts/run_1/a%20b/c%23d%3F.txt");
		fc.assert(
			fc.property(anyPaths, (path) => {
				if (artifactPathProblem(path) !== undefined) return;
				const { pathname, search, hash } = new URL(artifactRef(runId, path), "http://127.0.0.1");
				expect(search + hash).toBe("");
				const segments = pathname.replace("/artifacts/run_1/", "").split("/");
				expect(segments.map(decodeURIComponent).join("/")).toBe(path);
			}),
		);
	});
});

describe("a media type in a header", () => {
	it.each(["text/plain", "application/vnd.oasis.opendocument.text", "image/svg+xml"])("stands as it is: %s", (type) => {
		expect(safeMediaType(type)).toBe(type);
	});

	it.each(["", "text", "text/plain; charset=x", "text/html\r\nset-cookie: a=b", "text/plain\n", `x/${"y".repeat(101)}`])(
		"is bytes when it could be more than a type: %j",
		(type) => {
			expect(safeMediaType(type)).toBe("application/octet-stream");
		},
	);
});
