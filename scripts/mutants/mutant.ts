import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readTextIfPresent } from "../read-text.ts";

/** A small patch that breaks a promise, and the test that must then fail. */
const Mutant = z.strictObject({
	id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
	/** What the product promises and the patch breaks. */
	promise: z.string().min(1),
	/** Path from the repository's root. */
	file: z.string().min(1),
	/** Text that occurs exactly once in the file. */
	search: z.string().min(1),
	replace: z.string(),
	test: z.strictObject({
		project: z.string().min(1),
		file: z.string().regex(/\.test\.tsx?$/),
		/** Part of the full name of the tests to run; without it the whole file runs. */
		name: z.string().min(1).optional(),
	}),
});
export type Mutant = z.infer<typeof Mutant>;

/** Reads e2e/mutants.json below a root. @throws ZodError if it is malformed. */
export function readMutants(root: string): Mutant[] {
	return z.array(Mutant).parse(JSON.parse(readFileSync(join(root, "e2e", "mutants.json"), "utf8")));
}

/** Why a mutant can't be applied below a root; empty if it can. */
export function mutantProblems(mutant: Mutant, root: string): string[] {
	const source = readTextIfPresent(join(root, mutant.file));
	const test = readTextIfPresent(join(root, mutant.test.file));
	const found = source === undefined ? 0 : source.split(mutant.search).length - 1;
	return [
		...(source === undefined ? [`${mutant.id}: there is no ${mutant.file}`] : []),
		...(source !== undefined && found !== 1 ? [`${mutant.id}: its search text occurs ${found} times in ${mutant.file}`] : []),
		...(mutant.search === mutant.replace ? [`${mutant.id}: it changes nothing`] : []),
		...(test === undefined ? [`${mutant.id}: there is no ${mutant.test.file}`] : []),
	];
}

/** The patched text of the mutant's file. @throws RangeError if the search text does not occur exactly once. */
export function patchedText(mutant: Mutant, text: string): string {
	const [before, after, ...more] = text.split(mutant.search);
	if (before === undefined || after === undefined || more.length > 0) {
		throw new RangeError(`${mutant.id}: its search text does not occur exactly once in ${mutant.file}`);
	}
	return before + mutant.replace + after;
}
