import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listFolders } from "../../src/files/list-folders.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("a folder is listed as one in a git repository only if the repository is inside the allowed roots", async () => {
	using home = temporaryHome();
	const root = join(home.path, "projects");
	for (const folder of ["site/.git", "site/src", "notes"]) mkdirSync(join(root, folder), { recursive: true });
	const isIn = async (roots: readonly string[], path?: string) =>
		(await listFolders(roots, path)).map(({ isInRepository = false }) => isInRepository);
	expect(await isIn([root], join(root, "site"))).toEqual([true]);
	expect(await isIn([root], join(root, "site/src"))).toEqual([true]);
	expect(await isIn([root], join(root, "notes"))).toEqual([false]);
	// The repository's own root is not allowed, unless another root contains it.
	expect(await isIn([join(root, "site/src")])).toEqual([false]);
	expect(await isIn([join(root, "site/src"), root])).toEqual([true, false]);
});
