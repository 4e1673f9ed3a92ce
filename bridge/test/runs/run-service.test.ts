import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { limits, type RunId, type SessionId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { toSnapshot } from "../../src/runs/domain/run-view.ts";
import { Core, ended, type Play, say } from "./core-fixture.ts";
import { fold } from "./domain/fold.ts";
import { deliver, everyEvent, speak } from "./plays.ts";

function requiring(glob: string, expectedArtifactDirs: readonly string[] = []) {
	return {
		metadata: {
			xworkmateTaskArtifactContract: {
				schemaVersion: 1,
				scopeKind: "task",
				required: [{ glob }],
				expectedArtifactDirs: [...expectedArtifactDirs],
				rejectTextOnlyClaims: true,
				currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY",
			},
		},
	};
}

describe("a run", () => {
	it("ends with what was delivered, in the bridge's own store", async () => {
		await using core = await Core.open(deliver({ "report.md": "# hello" }));
		const runId = await core.submit("t1");
		const snapshot = await core.settled(runId);
		expect(snapshot).toMatchObject({ status: "completed", success: true, output: { text: "done" }, artifacts: { count: 1 } });
		const stored = await readFile(join(core.home, "bridge", "artifacts", runId, "report.md"), "utf8");
		expect(stored).toBe("# hello");
	});

	it("tells the next turn where the last deliverables are, however many turns ago", async () => {
		await using core = await Core.open(deliver({ "report.md": "# hello" }));
		const delivered = await core.settled(await core.submit("t0"));
		core.play = speak;
		for (let turn = 1; turn <= 22; turn++) await core.settled(await core.submit(`t${turn}`));
		let composed = "";
		core.play = async (turn, sink) => {
			composed = turn.composedPrompt;
			await say(sink, "done");
			return ended;
		};
		await core.settled(await core.submit("last"));
		expect(composed).toContain("- report.md");
		expect(composed).toContain(delivered.artifactScope);
	});

	it("tells the next turn how many files were delivered, however few of them it lists", async () => {
		const names = Array.from({ length: 130 }, (_, index) => `${String(index).padStart(3, "0")}.txt`);
		await using core = await Core.open(deliver(Object.fromEntries(names.map((name) => [name, name]))));
		await core.settled(await core.submit("t0"));
		let composed = "";
		core.play = async (turn, sink) => {
			composed = turn.composedPrompt;
			await say(sink, "done");
			return ended;
		};
		await core.settled(await core.submit("t1"));
		const listed = names.filter((name) => composed.includes(`- ${name}\n`));
		expect(composed).toContain(`\n- and ${names.length - listed.length} more\n`);
	});

	it("folds to the snapshot that was sealed", async () => {
		await using core = await Core.open(deliver({ "a.txt": "a", "b.txt": "b" }));
		const runId = await core.submit("t1");
		const sealed = await core.settled(runId);
		const events = await everyEvent(core, runId);
		expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
		const { serverTime } = sealed;
		const record = await core.service.resolve({ runId });
		expect({ ...toSnapshot(record, fold(events), 0), serverTime }).toEqual(sealed);
	});

	it("[T4-12] calls a missing required file artifact_missing, and what came out no final result", async () => {
		await using core = await Core.open(deliver({ "notes.md": "a pdf is attached" }));
		const snapshot = await core.settled(await core.submit("t1", requiring("*.pdf")));
		expect(snapshot).toMatchObject({
			status: "artifact_missing",
			code: "REQUIRED_ARTIFACT_MISSING",
			success: false,
			artifacts: { count: 1 },
		});
		expect(snapshot.message).toContain("*.pdf");
	});

	it("refuses a required glob that cannot be used before there is a run", async () => {
		await using core = await Core.open(speak);
		await expect(core.submit("t1", requiring("{a,b"))).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		expect((await core.service.list({ limit: 50 })).items).toEqual([]);
	});

	it.each([
		["agent", "/nope", /^\/nope can't be used: the bridge's computer has no project folders/],
		["agent", undefined, /^The folder can't be used: workingDirectory is missing\.$/],
		["gateway", "/nope", /^\/nope can't be used: OpenClaw chooses/],
	])(
		"refuses on the %s target a working directory that it has to use and can't, before there is a run",
		async (executionTarget, folder, words) => {
			await using core = await Core.open(speak);
			const place = folder === undefined ? {} : { workingDirectory: folder };
			const there = { ...place, workingDirectoryRequired: true, routing: { executionTarget } };
			await expect(core.submit("t1", there)).rejects.toMatchObject({
				code: "WORKING_DIRECTORY_REFUSED",
				message: expect.stringMatching(words),
			});
			expect((await core.service.list({ limit: 50 })).items).toEqual([]);
			const { workingDirectoryRequired: _, ...anywhere } = there;
			expect((await core.settled(await core.submit("t2", anywhere))).status).toBe("completed");
		},
	);

	it("refuses a folder to look into that is none below the working directory, with the fix, before there is a run", async () => {
		await using core = await Core.open(speak);
		for (const folder of ["./reports", ".", "a//b", "../x", "/abs"]) {
			await expect(core.submit("t1", requiring("*.md", [folder]))).rejects.toMatchObject({
				code: "INVALID_PARAMS",
				message: expect.stringMatching(/expectedArtifactDirs\[0\]: must be a folder inside .*: write /),
			});
		}
		expect((await core.service.list({ limit: 50 })).items).toEqual([]);
		expect(await core.settled(await core.submit("t1", requiring("*.md", ["reports/"])))).toMatchObject({ status: "artifact_missing" });
	});

	it("rejects a link in the scope and says why", async () => {
		await using core = await Core.open(async ({ artifactDirectory }, sink) => {
			await symlink("/etc/passwd", join(artifactDirectory, "passwd"));
			await say(sink, "Hello.");
			return ended;
		});
		const snapshot = await core.settled(await core.submit("t1"));
		expect(snapshot.artifacts.count).toBe(0);
		expect(snapshot.rejectedArtifacts).toEqual([{ path: "passwd", reason: "symlink" }]);
		expect(snapshot.rejectedCount).toBe(1);
		expect((await core.service.list({ limit: 1 })).items).toMatchObject([{ success: true, lacking: "rejected" }]);
	});

	it("names the first 200 files that do not count, and says how many there were", async () => {
		await using core = await Core.open(async ({ artifactDirectory }, sink) => {
			await Promise.all(Array.from({ length: 300 }, (_, index) => symlink("/etc/passwd", join(artifactDirectory, `l${index}`))));
			await say(sink, "done");
			return ended;
		});
		const snapshot = await core.settled(await core.submit("t1"));
		expect([snapshot.rejectedArtifacts.length, snapshot.rejectedCount]).toEqual([limits.snapshotItems, 300]);
	});

	it("fails as INTERNAL when the provider throws, and the core goes on", async () => {
		await using core = await Core.open(async () => {
			throw new Error("a defect");
		});
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "failed", code: "INTERNAL" });
		expect(core.errors).toHaveLength(1);
		core.play = speak;
		expect((await core.settled(await core.submit("t2"))).status).toBe("completed");
	});

	it("fails with LIMIT_EXCEEDED when it says more than its log may hold", async () => {
		const flood: Play = async (_turn, sink, stop) => {
			while (!stop.aborted) await say(sink, "x".repeat(1000));
			return { kind: "cancelled", remote: false };
		};
		await using core = await Core.open(flood, { runLogBytes: 50_000 });
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "failed", code: "LIMIT_EXCEEDED" });
	});
});

describe("idempotency", () => {
	it("makes one run of one turn, however often it is sent", async () => {
		await using core = await Core.open(speak);
		const runs = await Promise.all(Array.from({ length: 20 }, () => core.submit("same")));
		expect(new Set(runs).size).toBe(1);
		await core.settled(runs[0] as RunId);
		expect((await core.service.list({ limit: 50 })).items).toHaveLength(1);
	});

	it("refuses other input under the same turn", async () => {
		await using core = await Core.open(speak);
		await core.submit("same");
		await expect(core.submit("same", { prompt: "something else" })).rejects.toMatchObject({ code: "TURN_CONFLICT" });
	});
});

describe("sessions", () => {
	it("has one session a thread and one thread a session", async () => {
		await using core = await Core.open(speak);
		await core.submit("t1");
		await expect(core.submit("t2", { sessionId: "other" })).rejects.toMatchObject({ code: "SESSION_CONFLICT" });
		await expect(core.submit("t3", { threadId: "elsewhere" })).rejects.toMatchObject({ code: "SESSION_CONFLICT" });
	});

	it("refuses a turn that continues a closed session, and opens it anew with a start", async () => {
		await using core = await Core.open(speak);
		await core.settled(await core.submit("t1"));
		await core.service.closeSession("thread" as SessionId);
		const { routing, ...rest } = {
			routing: { executionTarget: "agent" } as const,
			sessionId: "thread",
			threadId: "thread",
			prompt: "more",
		};
		const params = { ...rest, routing, turnId: "t2" } as Parameters<typeof core.service.submit>[1];
		await expect(core.service.submit("session.message", params)).rejects.toMatchObject({ code: "SESSION_CLOSED" });
		expect((await core.settled(await core.submit("t3"))).status).toBe("completed");
	});
});
