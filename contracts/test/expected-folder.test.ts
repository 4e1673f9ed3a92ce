import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactPath } from "../src/artifacts/artifact-path-schema.ts";
import { artifactContractProblem, expectedFolderProblem, expectedFolders } from "../src/index.ts";

describe("a folder to look into besides the scope", () => {
	it.each(["reports", "reports/", "reports/2026", "Berichte ä/x/"])("can be %j", (path) => {
		expect(expectedFolderProblem(path)).toBeUndefined();
	});

	it.each([
		["./reports", 'write "reports"'],
		["a//b", 'write "a/b"'],
		["reports//", 'write "reports"'],
		["reports/./", 'write "reports"'],
		[".", 'such as "reports"'],
		["/", 'such as "reports"'],
		["../x", 'such as "reports"'],
		["/abs", 'such as "reports"'],
		["a/../b", 'such as "reports"'],
		[".xworkmate/x", 'such as "reports"'],
		["a\\b", 'such as "reports"'],
		["", 'such as "reports"'],
	])("cannot be %j: %s", (path, fix) => {
		expect(expectedFolderProblem(path)).toContain(fix);
		expect(expectedFolders([path])).toEqual([]);
	});

	it("is one that the gateway's plugin takes, whatever is asked for", () => {
		const path = fc.oneof(
			fc.string(),
			fc.array(fc.constantFrom("reports", ".", "..", "", "/", "a"), { maxLength: 5 }).map((all) => all.join("/")),
		);
		fc.assert(
			fc.property(fc.array(path), (paths) => {
				const folders = expectedFolders(paths);
				for (const folder of folders) expect(ArtifactPath.safeParse(folder).success).toBe(true);
				if (paths.every((asked) => expectedFolderProblem(asked) === undefined)) expect(folders.length).toBe(new Set(folders).size);
				expect(folders.length > 0).toBe(paths.some((asked) => expectedFolderProblem(asked) === undefined));
			}),
		);
		expect(expectedFolders(["reports/", "reports", "x"])).toEqual(["reports", "x"]);
	});

	it("is named by its field when it cannot be used", () => {
		expect(artifactContractProblem({ required: [{ glob: "*.md", minCount: 1 }], expectedArtifactDirs: ["ok", "../x"] })).toMatch(
			/^expectedArtifactDirs\[1\]: must be a folder below/,
		);
		expect(artifactContractProblem({ required: [{ glob: "{a,b", minCount: 1 }], expectedArtifactDirs: [] })).toMatch(
			/^required\[0\]\.glob: /,
		);
		expect(artifactContractProblem({ required: [], expectedArtifactDirs: ["reports/"] })).toBeUndefined();
	});
});
