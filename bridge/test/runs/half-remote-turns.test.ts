import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Core, ended, type Play, type RemoteTurns } from "./core-fixture.ts";

const forever = () => new Promise<never>(() => undefined);

describe("a turn that outlives the bridge and leaves its files here", () => {
	const resumable: RemoteTurns = { resumable: true };
	const writesReport: Play = async ({ artifactDirectory }) => {
		await writeFile(join(artifactDirectory, "report.md"), "# here");
		return ended;
	};

	it.each(["restart", "crash"] as const)("is taken up after a %s, and its files are collected where they are", async (how) => {
		const begun = Promise.withResolvers<void>();
		const hangs: Play = () => {
			begun.resolve();
			return forever();
		};
		await using core = await Core.open(hangs, { stopMs: 60_000 }, resumable);
		const runId = await core.submit("t1");
		await begun.promise;
		core.play = writesReport;
		await core[how]();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "report.md" }] } });
	});
});

describe("a turn that ends with the bridge and has its files elsewhere", () => {
	const fetchesReport: RemoteTurns = {
		fetchArtifacts: async ({ artifactDirectory }) => {
			await writeFile(join(artifactDirectory, "report.md"), "# elsewhere");
			return undefined;
		},
	};

	it("is stopped with the bridge, and not taken up", async () => {
		await using core = await Core.open(forever, { stopMs: 20 }, fetchesReport);
		const runId = await core.submit("t1");
		await core.until(runId, ({ status }) => status === "running");
		await core.restart();
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_STOPPED", artifacts: { count: 0 } });
	});

	it("is left to the next bridge once it has ended: its files are fetched then", async () => {
		const fetching = Promise.withResolvers<void>();
		const hangs: RemoteTurns = {
			fetchArtifacts: () => {
				fetching.resolve();
				return forever();
			},
		};
		await using core = await Core.open(async () => ended, { stopMs: 60_000 }, hangs);
		const runId = await core.submit("t1");
		await fetching.promise;
		core.remote = fetchesReport;
		await core.restart();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	});
});
