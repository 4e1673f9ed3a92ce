import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { joinRecords, type RawPath, splitRecords } from "../git/git-paths.ts";
import type { OwnRepository } from "../git/own-repository.ts";

/** Which of the paths are ignored by the `.gitignore` files of a tree. The paths need not exist. */
export async function ignoredBy(own: OwnRepository, tree: string, paths: readonly RawPath[]): Promise<ReadonlySet<RawPath>> {
	if (paths.length === 0) return new Set();
	const { treeMs: timeMs } = own.bounds;
	const { output } = await own.run({ args: ["ls-tree", "-r", "-z", tree], timeMs });
	const rules = splitRecords(output).flatMap((record) => {
		const [mode = "", , id = ""] = record.slice(0, record.indexOf("\t")).split(" ");
		const path = record.slice(record.indexOf("\t") + 1);
		return isRules(path) && mode.startsWith("100") ? [{ path, entry: { mode, id } }] : [];
	});
	// git reads these files only from a work tree, so they are written to a temporary one.
	const workTree = join(own.folder, `rules-${crypto.randomUUID()}`);
	mkdirSync(workTree, { mode: 0o700 });
	try {
		return await own.withIndex(async (index) => {
			const call = { index, workTree, timeMs };
			await own.run({ ...call, args: ["update-index", "-z", "--add", "--index-info"], input: own.indexInfo(rules) });
			await own.run({ ...call, args: ["checkout-index", "--all", "--quiet"] });
			// This command refuses literal path specifications. With "./" in front, every name is read as a plain path.
			const args = ["--no-literal-pathspecs", "check-ignore", "-z", "--stdin", "--no-index"];
			const input = joinRecords(paths.map((path) => `./${path}`));
			const { output: found } = await own.run({ ...call, args, input, accepts: [0, 1] });
			return new Set(splitRecords(found).map((path) => path.slice(2)));
		});
	} finally {
		rmSync(workTree, { recursive: true, force: true });
	}
}

export function isRules(path: RawPath): boolean {
	return path === ".gitignore" || path.endsWith("/.gitignore");
}
