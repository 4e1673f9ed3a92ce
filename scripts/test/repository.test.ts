import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirements } from "../../e2e/requirements.ts";
import { staleDocuments } from "../docs/generated-documents.ts";
import { citationProblems, citedRequirements } from "../house/citations.ts";
import { citationsOfNothing } from "../house/document-citations.ts";
import { wrongArrows } from "../house/import-arrows.ts";
import { importCircles } from "../house/import-circles.ts";
import { nodeModulesOfPage } from "../house/page-modules.ts";
import { repositoryFiles, typescriptFiles } from "../house/source-file.ts";
import { placesOfOneMachine, sourceProblems } from "../house/source-rules.ts";
import { mutantProblems, readMutants } from "../mutants/mutant.ts";
import { repositoryRoot } from "../repository.ts";

const files = repositoryFiles(repositoryRoot);
const sources = typescriptFiles(files);

describe("this repository", () => {
	it("imports in the directions that the design draws", () => {
		expect(wrongArrows(sources)).toEqual([]);
	});

	it("loads nothing in a circle, neither file by file nor folder by folder", () => {
		expect(importCircles(sources)).toEqual([]);
	});

	it("loads no module of Node in the page", () => {
		expect(nodeModulesOfPage(sources)).toEqual([]);
	});

	it("has no any, no assertion that a value is there, no suppressed check, no long file, one reader of the environment", () => {
		expect(sources.flatMap(sourceProblems)).toEqual([]);
	});

	it("names no place of one machine", () => {
		// A home of one letter or none would be in any path.
		const folders = [repositoryRoot, join(homedir(), "/")].filter((folder) => folder.length > 3);
		expect(files.flatMap((file) => placesOfOneMachine(file, folders))).toEqual([]);
	});

	it("has the generated documents as they would be generated now", () => {
		expect(staleDocuments(repositoryRoot), "run `npm run generate`").toEqual([]);
	});

	it("links only to documents that exist", () => {
		const broken = files
			.filter(({ path }) => path.endsWith(".md") && !path.endsWith(".template.md"))
			.flatMap(({ path, text }) =>
				[...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
					.map(([, target = ""]) => target)
					.filter((target) => !existsSync(join(repositoryRoot, dirname(path), target)))
					.map((target) => `${path} links to ${target}`),
			);
		expect(broken).toEqual([]);
	});

	it("cites only documents, sections and decisions that are in it", () => {
		expect(citationsOfNothing(files)).toEqual([]);
	});

	it("has a test for every requirement that is said to be verified, and cites no unknown one", () => {
		const tests = sources.filter(({ path }) => /\.test\.tsx?$/.test(path) && !/^scripts\/test\/.*citations\.test\.ts$/.test(path));
		expect(citationProblems(requirements, citedRequirements(tests))).toEqual([]);
	});

	it("has mutants that can be applied, each under a name of its own", () => {
		const mutants = readMutants(repositoryRoot);
		expect(mutants.flatMap((mutant) => mutantProblems(mutant, repositoryRoot))).toEqual([]);
		expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
	});

	it("numbers its requirements without gaps or repeats", () => {
		const groups = Map.groupBy(requirements, ({ id }) => id.slice(0, 2));
		for (const [prefix, group] of groups) {
			expect(group.map(({ id }) => id)).toEqual(group.map((_, index) => `${prefix}-${String(index + 1).padStart(2, "0")}`));
		}
		expect(groups.get("T4")).toHaveLength(95);
	});
});
