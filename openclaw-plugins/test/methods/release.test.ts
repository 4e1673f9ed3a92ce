import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { releasePreparedRun } from "../../src/methods/release-prepared-run.ts";
import { openRig, pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

const refused = (code: string, words = "") => expect.objectContaining({ code, message: expect.stringMatching(words) });

describe("xworkmate.session.release", () => {
	it("leaves nothing of a run that was prepared and never began: no record, no folder, no emptied folder around it", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		expect(releasePreparedRun(runRef(1), rig)).toEqual({ released: true });
		expect([rig.registry.find("run-1"), rig.registry.active(), rig.files.readAll(() => {})]).toEqual([undefined, [], []]);
		expect(readdirSync(rig.workspace)).toEqual([]);
		expect(() => releasePreparedRun(runRef(1), rig)).toThrow(refused("RUN_UNKNOWN"));
		expect(rig.prepare().state, "its id and its place are free").toBe("prepared");
	});

	it("leaves the other runs of the conversation, and what else the workspace holds", async () => {
		await using rig = await pluginRig();
		const earlier = rig.prepare(runRef(1));
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		rig.prepare(runRef(2));
		releasePreparedRun(runRef(2), rig);
		expect(existsSync(earlier.artifactDirectory)).toBe(true);
		expect(rig.registry.ofSession(runRef(1).sessionKey).map(({ runId }) => runId)).toEqual(["run-1"]);
	});

	it("refuses a run that began, however it ended, and one that is not named by its session and scope", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		expect(() => releasePreparedRun({ ...runRef(1), sessionKey: runRef(1, 2).sessionKey }, rig)).toThrow(refused("SCOPE_MISMATCH"));
		rig.registry.change(runRef(1).runId, { kind: "begun" });
		expect(() => releasePreparedRun(runRef(1), rig)).toThrow(refused("RUN_BEGUN"));
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "cancelled" });
		expect(() => releasePreparedRun(runRef(1), rig)).toThrow(refused("RUN_BEGUN"));
		rig.prepare(runRef(2, 2));
		rig.registry.change(runRef(2, 2).runId, { kind: "ended", state: "failed", error: "its start was not heard of" });
		expect(() => releasePreparedRun(runRef(2, 2), rig)).toThrow(refused("RUN_BEGUN"));
		expect(rig.registry.all()).toHaveLength(2);
	});

	it("removes no file: a folder that holds something stays, with its run, and so does a link in its place", async () => {
		await using rig = await pluginRig();
		const { artifactDirectory } = rig.prepare();
		writeFileSync(join(artifactDirectory, "theirs.txt"), "theirs");
		expect(() => releasePreparedRun(runRef(1), rig)).toThrow(
			refused("SCOPE_BLOCKED", "^tasks/.*/run-1 in the agent's workspace contains files that do not belong to this run\\. .* move it away"),
		);
		expect([readdirSync(artifactDirectory), rig.registry.find("run-1")?.state]).toEqual([["theirs.txt"], "prepared"]);

		const elsewhere = join(rig.workspace, "elsewhere");
		renameSync(join(artifactDirectory, ".."), elsewhere);
		symlinkSync(elsewhere, join(artifactDirectory, ".."));
		mkdirSync(join(elsewhere, "kept"));
		expect(() => releasePreparedRun(runRef(1), rig)).toThrow(refused("SCOPE_BLOCKED"));
		expect(readdirSync(elsewhere).sort()).toEqual(["kept", "run-1"]);
	});

	it("goes on where an attempt was cut off, and takes up what an earlier life of the gateway left", async () => {
		await using rig = await pluginRig();
		rmdirSync(rig.prepare().artifactDirectory);
		const next = openRig(rig.state, rig.workspace);
		expect(next.registry.find("run-1")?.state).toBe("lost");
		releasePreparedRun(runRef(1), next);
		expect([next.files.readAll(() => {}), readdirSync(rig.workspace)]).toEqual([[], []]);
	});

	it("takes no file away from a run that works meanwhile: one that never begins made nothing", async () => {
		await using rig = await pluginRig();
		const exclusive = (n: number) => rig.registry.find(`run-${n}`)?.evidence.exclusive;
		rig.prepare(runRef(1, 1));
		rig.registry.change(runRef(1).runId, { kind: "begun" });
		rig.prepare(runRef(2, 2));
		releasePreparedRun(runRef(2, 2), rig);
		expect(exclusive(1)).toBe(true);

		rig.prepare(runRef(3, 3));
		expect([exclusive(1), exclusive(3)], "another run works since before it").toEqual([true, false]);
		rig.registry.change(runRef(3, 3).runId, { kind: "begun" });
		expect(exclusive(1), "another run began").toBe(false);
	});
});
