import { openArtifactContract, type RejectedArtifact, type RequiredArtifact } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { checkContract } from "../../src/artifacts/check-contract.ts";

interface Given {
	readonly required?: readonly RequiredArtifact[];
	readonly requiresExport?: boolean;
	readonly items?: readonly string[];
	readonly rejected?: readonly RejectedArtifact[];
}

function check({ required = [], requiresExport = false, items = [], rejected = [] }: Given) {
	const contract = { ...openArtifactContract, required: [...required], requiresExport };
	return checkContract(
		contract,
		items.map((relativePath) => ({ relativePath })),
		rejected,
	);
}

describe("the artifact contract", () => {
	it("[T4-11] asks for nothing that it does not say", () => {
		expect(check({})).toEqual({ ok: true });
		expect(check({ items: ["a.txt"], rejected: [{ path: "b", reason: "symlink" }] })).toEqual({ ok: true });
	});

	it("[T4-48] NO_EXPORTED_ARTIFACTS: an export was required and there is none", () => {
		expect(check({ requiresExport: true })).toEqual({
			ok: false,
			code: "NO_EXPORTED_ARTIFACTS",
			message: "The run had to deliver files but delivered none.",
			missing: [],
		});
		expect(check({ requiresExport: true, items: ["a.txt"] })).toEqual({ ok: true });
	});

	it("[T4-12] [T4-34] REQUIRED_ARTIFACT_MISSING: says which glob was not met, and by how much", () => {
		const required = [
			{ glob: "*.pdf", minCount: 1 },
			{ glob: "data/*.csv", minCount: 3 },
			{ glob: "*.md", minCount: 1 },
		];
		expect(check({ required, items: ["data/a.csv", "report.md"] })).toEqual({
			ok: false,
			code: "REQUIRED_ARTIFACT_MISSING",
			message: "Required files are missing: *.pdf (0 of 1), data/*.csv (1 of 3).",
			missing: [
				{ glob: "*.pdf", minCount: 1, found: 0 },
				{ glob: "data/*.csv", minCount: 3, found: 1 },
			],
		});
		expect(check({ required, items: ["x.pdf", "data/a.csv", "data/b.csv", "data/c.csv", "report.md"] })).toEqual({ ok: true });
	});

	it("names the globs too when nothing was exported at all", () => {
		expect(check({ requiresExport: true, required: [{ glob: "*.pdf", minCount: 1 }] })).toMatchObject({
			code: "NO_EXPORTED_ARTIFACTS",
			message: "The run had to deliver files but delivered none. Required files are missing: *.pdf (0 of 1).",
		});
	});

	it("[T4-31] never counts what was rejected, but says that it was there", () => {
		const rejected = [
			{ path: "a\u202egnp.pdf", reason: "unsafe_name" as const },
			{ path: "report.pdf", reason: "empty_required" as const },
		];
		expect(check({ required: [{ glob: "*.pdf", minCount: 1 }], rejected })).toMatchObject({
			ok: false,
			message:
				"Required files are missing: *.pdf (0 of 1; report.pdf was rejected: it is required, but empty).\nreport.pdf: empty_required",
		});
	});

	it("does not meet a glob that cannot be understood", () => {
		expect(check({ required: [{ glob: "[a", minCount: 1 }], items: ["a", "[a"] })).toMatchObject({
			ok: false,
			message: expect.stringContaining("[a (cannot be checked: '[' begins"),
			missing: [{ glob: "[a", minCount: 1, found: 0 }],
		});
	});

	it("shows five globs and counts the rest", () => {
		const required = Array.from({ length: 8 }, (_, index) => ({ glob: `${index}.txt`, minCount: 1 }));
		expect(check({ required })).toMatchObject({ message: expect.stringMatching(/4\.txt \(0 of 1\), and 3 more\.$/) });
	});

	it("ends within its bound on globs and names chosen to be slow", () => {
		const required = Array.from({ length: 100 }, (_, index) => ({ glob: `*${"a".repeat(120)}{b,c}{b,c}{b,c}{b,c}${index}`, minCount: 1 }));
		const name = "a".repeat(250);
		const items = Array.from({ length: 1000 }, (_, index) => `${name}/${name}/${name}/${name}${index}`);
		const started = performance.now();
		expect(check({ required, items })).toMatchObject({ ok: false, message: expect.stringContaining("take too long to match") });
		expect(performance.now() - started).toBeLessThan(15_000);
	}, 20_000);
});
