import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactsDigest } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { exportXWorkmateArtifacts, findSealed } from "../../src/export/export-xworkmate-artifacts.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

async function endedRun() {
	const rig = await pluginRig();
	const { artifactDirectory } = rig.prepare();
	rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed", text: "done" });
	const put = (path: string, text: string | Buffer) => {
		mkdirSync(join(artifactDirectory, path, ".."), { recursive: true });
		writeFileSync(join(artifactDirectory, path), text);
	};
	const collect = (more = {}) => rig.collector.collectAndSnapshotXWorkmateArtifacts({ ...runRef(1), waitMs: 0, ...more });
	const items = () => rig.sealed.require(rig.registry.require(runRef(1))).items;
	return { ...rig, artifactDirectory, put, collect, items, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe("collecting a run", () => {
	it("[T4-90] seals what is in the scope with size and hash, in byte order, whatever the files' times", async () => {
		await using run = await endedRun();
		run.put("b/ü.txt", "later");
		run.put("a.txt", "first");
		utimesSync(join(run.artifactDirectory, "a.txt"), new Date(0), new Date(0));
		const result = await run.collect();
		expect(run.items().map(({ relativePath, sha256 }) => [relativePath, sha256])).toEqual([
			["a.txt", createHash("sha256").update("first").digest("hex")],
			["b/ü.txt", createHash("sha256").update("later").digest("hex")],
		]);
		expect(result).toMatchObject({ count: 2, totalBytes: 10, digest: artifactsDigest(run.items()), rejected: [] });
		expect(run.registry.find("run-1")?.collectedAt).toBeDefined();
	});

	it("[T4-31] refuses each kind of what is no deliverable, with its reason", async () => {
		await using run = await endedRun();
		for (const [path, text] of [
			["good.md", "x"],
			[".gitkeep", ""],
			["empty.pdf", ""],
			["A.txt", "1"],
			["a.txt", "2"],
			[".xworkmate/x", "x"],
			["bad\nname", "x"],
		] as const)
			run.put(path, text);
		symlinkSync("/etc/passwd", join(run.artifactDirectory, "passwd"));
		run.put("one", "linked");
		linkSync(join(run.artifactDirectory, "one"), join(run.artifactDirectory, "two"));
		execFileSync("mkfifo", [join(run.artifactDirectory, "fifo")]);
		mkdirSync(join(run.workspace, "other"), { recursive: true });
		symlinkSync(join(run.workspace, "other"), join(run.artifactDirectory, "folder"));
		const { rejected } = await run.collect({ requiredGlobs: ["*.pdf"] });
		expect(run.items().map(({ relativePath }) => relativePath)).toEqual(["good.md"]);
		expect(Object.fromEntries(rejected.map(({ path, reason }) => [path, reason]))).toEqual({
			".gitkeep": "placeholder",
			"empty.pdf": "empty_required",
			"A.txt": "name_collision",
			"a.txt": "name_collision",
			".xworkmate/x": "reserved_name",
			"bad\nname": "unsafe_name",
			passwd: "symlink",
			folder: "symlink",
			one: "hard_link",
			two: "hard_link",
			fifo: "special_file",
		});
	});

	it("gives the same again, and nothing that was written since", async () => {
		await using run = await endedRun();
		run.put("a.txt", "first");
		const first = await run.collect();
		run.put("late.txt", "late");
		expect(await run.collect()).toEqual(first);
		expect(findSealed(run.sealed.require(run.registry.require(runRef(1))), "late.txt")).toBeUndefined();
	});

	it("collects once, however many ask at once", async () => {
		await using run = await endedRun();
		run.put("a.txt", "first");
		const [one, two] = await Promise.all([run.collect(), run.collect()]);
		expect(two).toEqual(one);
		expect(run.announced.filter(({ collectedAt }) => collectedAt !== undefined)).toHaveLength(1);
	});

	it("refuses a run that has not ended, and takes nothing from a scope that was replaced by a link", async () => {
		await using rig = await pluginRig();
		const { artifactDirectory } = rig.prepare();
		const collect = () => rig.collector.collectAndSnapshotXWorkmateArtifacts({ ...runRef(1), waitMs: 0 });
		await expect(collect()).rejects.toMatchObject({ code: "RUN_NOT_ENDED" });
		expect(() => rig.sealed.require(rig.registry.require(runRef(1)))).toThrow(expect.objectContaining({ code: "NOT_COLLECTED" }));
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		mkdirSync(join(rig.workspace, "others"));
		writeFileSync(join(rig.workspace, "others", "secret.txt"), "secret");
		renameSync(artifactDirectory, `${artifactDirectory}.gone`);
		symlinkSync(join(rig.workspace, "others"), artifactDirectory);
		expect(await collect()).toMatchObject({ count: 0, rejected: [{ path: ".", reason: "symlink" }] });
	});

	it("exports thousands of files by pages without gap or repeat", async () => {
		await using run = await endedRun();
		for (let n = 0; n < 2500; n++) {
			if (n < 100) mkdirSync(join(run.artifactDirectory, `d${n}`));
			writeFileSync(join(run.artifactDirectory, `d${n % 100}`, `f${n}`), `${n}`);
		}
		expect(await run.collect()).toMatchObject({ count: 2500, rejectedCount: 0 });
		const sealed = run.sealed.require(run.registry.require(runRef(1)));
		const paths: string[] = [];
		for (let complete = false; !complete; ) {
			const page = exportXWorkmateArtifacts(sealed, paths.at(-1), 1000);
			paths.push(...page.items.map(({ relativePath }) => relativePath));
			complete = page.complete;
		}
		expect(paths).toEqual(run.items().map(({ relativePath }) => relativePath));
	}, 30_000);
});
