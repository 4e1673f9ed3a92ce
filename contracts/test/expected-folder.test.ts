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

	it.each([
		["a reserved name", ".xworkmate/x", "must not begin with .xworkmate, which is reserved"],
		["a reserved name in another case", ".Versions", "must not begin with .Versions, which is reserved"],
		["a backslash", "a\\b", "must not contain backslashes"],
		["a change of direction", "a\u202eb", "must not contain backslashes, control characters, byte order marks or text-direction marks"],
		["a letter in two parts", "a\u0308b", "must be normalized Unicode text"],
		["a long name", "x".repeat(300), "must have at most 1,024 bytes, and at most 255 in each segment"],
		["a long path", "a/".repeat(600), "must have at most 1,024 bytes, and at most 255 in each segment"],
		["an absolute path", "/abs", "must be a folder inside the working directory"],
		["a way out", "../x", "must be a folder inside the working directory"],
		["nothing", "", "must be a folder inside the working directory"],
	])("is refused for the reason that applies: %s", (_, path, reason) => {
		expect(expectedFolderProblem(path)?.slice(0, reason.length)).toBe(reason);
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
			/^expectedArtifactDirs\[1\]: must be a folder inside/,
		);
		expect(artifactContractProblem({ required: [{ glob: "{a,b", minCount: 1 }], expectedArtifactDirs: [] })).toMatch(
			/^required\[0\]\.glob: /,
		);
		expect(artifactContractProblem({ required: [], expectedArtifactDirs: ["reports/"] })).toBeUndefined();
	});
});
