import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { sealLimits } from "../../src/attribution/seal-limits.ts";
import type { SealTask } from "../../src/export/seal-scope.ts";
import { SealingThread } from "../../src/export/sealing-thread.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

describe("the thread that seals", () => {
	it("that ended between two scopes is started again for the next", async () => {
		await using rig = await pluginRig();
		const folder = join(rig.state, "programs");
		mkdirSync(folder);
		const program = join(folder, "brief.mjs");
		// Answers one task, and ends.
		writeFileSync(
			program,
			'import { parentPort } from "node:worker_threads";\nparentPort.once("message", () => parentPort.postMessage({ sealed: true }));\n',
		);
		const thread = new SealingThread(() => pathToFileURL(program));
		try {
			await thread.seal({} as SealTask);
			await delay(300);
			await thread.seal({} as SealTask);
		} finally {
			await thread.close();
		}
	}, 10_000);

	it("seals one scope after the other, and goes on after one that failed", async () => {
		await using rig = await pluginRig();
		const thread = new SealingThread(() => new URL("../../src/seal-worker.ts", import.meta.url));
		const task = (n: number, manifestPath = rig.sealed.path(runRef(n).runId)) => ({
			runId: runRef(n).runId,
			artifactDirectory: rig.prepare(runRef(n, n)).artifactDirectory,
			manifestPath,
			sealedAt: new Date().toISOString(),
			requiredGlobs: [],
			pendingBackgroundTasks: 0,
			unattributed: [],
			files: [],
			rejected: [],
			limits: sealLimits,
		});
		mkdirSync(join(rig.state, "xworkmate"), { recursive: true });
		writeFileSync(join(rig.state, "in-the-way"), "");
		try {
			const [first, failed, last] = await Promise.allSettled([
				thread.seal(task(1)),
				thread.seal(task(2, join(rig.state, "in-the-way", "x.json"))),
				thread.seal(task(3)),
			]);
			expect([first?.status, failed?.status, last?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
			for (const n of [1, 3]) {
				const ended = rig.registry.change(runRef(n).runId, { kind: "collected" });
				expect(ended && rig.sealed.require(ended)).toMatchObject({ runId: `run-${n}`, count: 0 });
			}
		} finally {
			await thread.close();
		}
	}, 30_000);
});
