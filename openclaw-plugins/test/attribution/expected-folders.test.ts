import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScopeTree } from "@xworkmate/platform/scope-tree";
import { expect, it } from "vitest";
import { planExpected } from "../../src/attribution/expected-folders.ts";
import { openOwnTree } from "../../src/scope/open-own-tree.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

it("a file that disappears while its folder is looked at is rejected alone", async () => {
	await using rig = await pluginRig();
	const ref = runRef(1, 1);
	rig.prepare(ref);
	rig.registry.change(ref.runId, { kind: "begun" });
	const record = rig.registry.require(ref);
	const folder = join(record.workspaceDirectory, "reports");
	mkdirSync(folder);
	for (const name of ["gone.txt", "kept.txt"]) writeFileSync(join(folder, name), name);
	/** Removes a file once the whole folder has been read. */
	const losing = (root: string): ScopeTree => {
		const tree = openOwnTree(root);
		const seen = new Set<string>();
		return {
			list: (...args) => tree.list(...args),
			isMount: (...args) => tree.isMount(...args),
			open: (path) => tree.open(path),
			forget: () => tree.forget(),
			stat: (path) => {
				const name = path.join("/");
				if (seen.has(name)) rmSync(join(folder, "gone.txt"), { force: true });
				seen.add(name);
				return tree.stat(path);
			},
			[Symbol.dispose]: () => tree[Symbol.dispose](),
		};
	};
	expect(planExpected(record, ["reports"], losing)).toEqual({
		files: [{ source: join(folder, "kept.txt"), relativePath: "kept.txt" }],
		rejected: [{ path: "gone.txt", reason: "changed_while_reading" }],
	});
});
