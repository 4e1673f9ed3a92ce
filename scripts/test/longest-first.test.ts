import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { longestFiles, longestFirst } from "../longest-first.ts";
import { repositoryRoot } from "../repository.ts";

it("names test files that are there, each once", () => {
	expect(longestFiles.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
	expect(new Set(longestFiles).size).toBe(longestFiles.length);
});

it("puts the files that take long first in their project, and leaves the others and the projects in their order", () => {
	const [longest = "", second = ""] = longestFiles;
	const file = (project: string, path: string) => ({ project, moduleId: join(repositoryRoot, path) });
	const given = [file("a", "x.ts"), file("a", "y.ts"), file("b", "z.ts"), file("b", second), file("b", "v.ts"), file("b", longest)];
	expect(longestFirst(given)).toEqual([
		file("a", "x.ts"),
		file("a", "y.ts"),
		file("b", longest),
		file("b", second),
		file("b", "z.ts"),
		file("b", "v.ts"),
	]);
});
