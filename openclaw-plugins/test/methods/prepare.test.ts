import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { execEnvironment } from "../../src/context/exec-environment.ts";
import { turnContext } from "../../src/context/turn-context.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

describe("xworkmate.session.prepare", () => {
	it("[T4-24] makes tasks/<session>/<run> below the agent's workspace, empty, and the same again", async () => {
		await using rig = await pluginRig();
		const first = rig.prepare();
		expect(first).toMatchObject({ state: "prepared", artifactDirectory: join(rig.workspace, runRef(1).artifactScope), collected: false });
		expect(readdirSync(first.artifactDirectory)).toEqual([]);
		writeFileSync(join(first.artifactDirectory, "kept.txt"), "kept");
		expect(rig.prepare()).toEqual(first);
		expect(readdirSync(first.artifactDirectory)).toEqual(["kept.txt"]);
	});

	it("[T4-28] refuses a scope that is not of this session and run", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		const mixed = [
			{ ...runRef(2), artifactScope: runRef(3).artifactScope },
			{ ...runRef(1), artifactScope: runRef(1, 2).artifactScope },
			{ ...runRef(1), sessionKey: runRef(1, 2).sessionKey },
		];
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		for (const ref of mixed) expect(() => rig.prepare(ref)).toThrow(expect.objectContaining({ code: "SCOPE_MISMATCH" }));
		expect(() => rig.prepare({ ...runRef(2, 2), sessionKey: runRef(1).sessionKey })).toThrow(
			expect.objectContaining({ code: "SCOPE_MISMATCH" }),
		);
	});

	it("keeps one active run per session", async () => {
		await using rig = await pluginRig();
		rig.prepare(runRef(1));
		expect(() => rig.prepare(runRef(2))).toThrow(expect.objectContaining({ code: "SESSION_BUSY" }));
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "failed", error: "x" });
		expect(rig.prepare(runRef(2)).state).toBe("prepared");
	});

	it("refuses a scope that a link would lead elsewhere, and one that holds something, with what to do and no path of the machine", async () => {
		const refused = (words: string) => expect.objectContaining({ code: "SCOPE_BLOCKED", message: expect.stringMatching(words) });
		await using rig = await pluginRig();
		mkdirSync(join(rig.workspace, "elsewhere"), { recursive: true });
		symlinkSync("elsewhere", join(rig.workspace, "tasks"));
		expect(() => rig.prepare()).toThrow(refused("^tasks in the agent's workspace is a link .* move it away, then try again\\.$"));
		await using other = await pluginRig();
		mkdirSync(join(other.workspace, runRef(1).artifactScope, "old"), { recursive: true });
		expect(() => other.prepare()).toThrow(
			refused("^tasks/.*/run-1 in the agent's workspace contains files that do not belong to this run\\. On the gateway's"),
		);
	});
});

describe("what a turn is told", () => {
	it("[T4-25] names the scope, what came before, and the app's context with the scope resolved", async () => {
		await using rig = await pluginRig();
		const { artifactDirectory } = rig.prepare(runRef(2), {
			context: "work in $XWORKMATE_ARTIFACT_DIRECTORY/",
			earlier: { runId: runRef(1).runId, paths: ["a/report.md"] },
		});
		const record = rig.registry.find("run-2");
		const live = rig.registry.live(runRef(2).runId);
		if (record === undefined || live === undefined) throw new Error("the run was prepared");
		const text = turnContext(record, live);
		expect(text).toContain(`work in ${artifactDirectory}/`);
		expect(text).toContain(join(artifactDirectory, "..", "run-1"));
		expect(text).toContain("- a/report.md");
	});

	it("gives commands the scope and a temporary folder of their own, in the run's session only", async () => {
		await using rig = await pluginRig();
		const { artifactDirectory } = rig.prepare();
		const stateDirectory = join(rig.state, "xworkmate");
		expect(execEnvironment({ sessionKey: runRef(1).sessionKey }, rig.registry, stateDirectory)).toEqual({
			XWORKMATE_ARTIFACT_DIRECTORY: artifactDirectory,
			TMPDIR: join(stateDirectory, "tmp", "run-1"),
		});
		expect(execEnvironment({ sessionKey: "agent:main:foreign" }, rig.registry, stateDirectory)).toBeUndefined();
	});

	it("keeps the app's context off the disk", async () => {
		await using rig = await pluginRig();
		rig.prepare(runRef(1), { context: "words for the model alone" });
		expect(JSON.stringify(rig.files.readAll(() => {}))).not.toContain("words for the model alone");
	});
});
