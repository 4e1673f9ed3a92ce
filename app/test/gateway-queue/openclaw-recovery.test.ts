import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import type { CoreScene } from "../support/core-scene.ts";
import { gatewayScene, runOf, runsBegun, threadOf } from "../support/gateway-scene.ts";
import { until } from "../support/until.ts";

describe("a gateway run whose end is hard to learn", () => {
	/** The first run's handle is known, then the bridge fails every question about it for longer than the bound. */
	async function lost(scene: CoreScene, code: "NOT_FOUND" | undefined): Promise<SentTurn> {
		const sent = await scene.sendToGateway("first");
		await until("its handle is known", async () => (await threadOf(scene, sent)).turns[0]?.runId !== undefined);
		await scene.restart(() => {
			scene.bridge.fault = ({ method }) => {
				if (method === "acp.capabilities") return undefined;
				return code === undefined ? { kind: "status", status: 503 } : { kind: "error", code };
			};
		});
		return sent;
	}

	it.each([
		[undefined, "ACP_HTTP_503", "INTERNAL"],
		["NOT_FOUND", "interrupted", "NOT_FOUND"],
	] as const)(
		"[T4-59] [T4-85] [T4-86] a question that fails with %s after recovery is recorded as %s, the thread is ready, and the late result is taken",
		async (fault, resultCode, code) => {
			await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
			const sent = await lost(scene, fault);
			const { turn, thread } = await scene.end(sent);
			expect(turn).toMatchObject({ status: "unresolved", resultCode, resultDetail: { code, message: expect.any(String) } });
			expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: resultCode, lastArtifactSyncStatus: "failed" });
			expect(thread.pendingTurnId).toBeUndefined();
			// Not forgotten: the run's id stays with the turn, and its end is asked for again.
			expect(turn.runId).toBe(runOf(scene, sent).runId);
			runOf(scene, sent).end("completed", { "late.txt": "late" });
			scene.bridge.fault = () => undefined;
			await scene.restart();
			await until("it was taken", async () => (await threadOf(scene, sent)).lastArtifactSyncStatus === "synced");
			expect(await threadOf(scene, sent)).toMatchObject({ lastResultCode: "success", lastTaskArtifactRelativePaths: ["late.txt"] });
		},
	);

	it("[T4-79] [T4-80] a running handle is asked about by its own fields alone, and is no result", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 }, { client: { pollMs: 10 } });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("it was asked about", () => scene.bridge.countOf("xworkmate.tasks.get") > 3);
		const { runId, artifactScope } = (await threadOf(scene, first)).turns[0] ?? {};
		const asked = scene.bridge.calls.filter(({ method }) => method === "xworkmate.tasks.get").slice(1);
		for (const { params } of asked) expect(params).toEqual({ runId, artifactScope });
		expect(await threadOf(scene, first)).toMatchObject({ lifecycleStatus: "running" });
		expect((await threadOf(scene, first)).lastResultCode).toBeUndefined();
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
	});

	it("one that was given up on while the bridge was away holds its slot again before the next goes", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		await until("its handle is known", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		const second = await scene.sendToGateway("second");
		await scene.bridge.down();
		expect(await scene.end(first)).toMatchObject({ turn: { status: "unresolved" } });
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
		await scene.bridge.listen();
		await until("the first is followed again", async () => (await threadOf(scene, first)).lifecycleStatus === "running");
		expect(scene.submitted).toEqual(["first"]);
		runOf(scene, first).end("completed");
		await runsBegun(scene, 2);
	});

	it("[T4-89] files without the required ones are the remote contract not met: named in the protocol's words, nothing is synced", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const message = "openclaw returned partial artifacts without required final deliverables";
		scene.bridge.onRun = (run) => {
			run.message = message;
			run.end("artifact_missing", { "draft.md": "half" }, "OPENCLAW_REQUIRED_ARTIFACT_MISSING");
		};
		const sent = await scene.sendToGateway("make a pdf");
		const { turn, thread, snapshot } = await scene.end(sent);
		expect(thread).toMatchObject({
			lifecycleStatus: "ready",
			lastResultCode: "OPENCLAW_REQUIRED_ARTIFACT_MISSING",
			lastResultDetail: { code: "OPENCLAW_REQUIRED_ARTIFACT_MISSING", message },
			lastArtifactSyncStatus: "failed",
			lastTaskArtifactRelativePaths: [],
		});
		expect(turn.syncedPaths).toEqual([]);
		expect(snapshot?.artifacts.count).toBe(1);
		expect(scene.bridge.downloads).toEqual([]);
		expect(existsSync(`${(await scene.api.showThread({ threadId: sent.threadId })).folder}/draft.md`)).toBe(false);
	});
});
