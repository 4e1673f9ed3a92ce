import { mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lackingIn } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { ProviderOutcome } from "../../src/ports/runs/run-event.ts";
import { Core, ended, say, whenAborted } from "./core-fixture.ts";

const failed: ProviderOutcome = { kind: "failed", code: "PROVIDER_ERROR", message: "It broke." };

describe("the end of a run", () => {
	it("lists what changed where it worked and was not delivered, with what was deleted, and nothing that only looks changed", async () => {
		await using core = await Core.open(async ({ workingDirectory, artifactDirectory }, sink) => {
			await mkdir(join(workingDirectory, "sub"));
			for (const name of ["same.txt", "gone.txt", "sub/other.txt"]) await writeFile(join(workingDirectory, name), "old");
			await writeFile(join(artifactDirectory, "report.md"), "delivered");
			await say(sink, "Nothing was changed.");
			return ended;
		});
		const first = await core.settled(await core.submit("t1"));
		const directory = first.edits?.directory ?? "";
		expect(await readFile(join(directory, "same.txt"), "utf8")).toBe("old");
		const added = (path: string) => ({ path, status: "added" });
		const names = ["gone.txt", "same.txt", "sub/other.txt"];
		expect(first.edits).toEqual({ place: "workspace", directory, files: names.map(added), total: 3 });
		core.play = async ({ workingDirectory }, sink) => {
			await writeFile(join(workingDirectory, "same.txt"), "old");
			await utimes(join(workingDirectory, "same.txt"), 0, 0);
			await writeFile(join(workingDirectory, "sub/other.txt"), "new");
			await rm(join(workingDirectory, "gone.txt"));
			await say(sink, "Nothing was changed.");
			return failed;
		};
		const second = await core.settled(await core.submit("t2"));
		expect(second).toMatchObject({ status: "failed", edits: { total: 2 } });
		expect(second.edits?.files).toEqual([
			{ path: "gone.txt", status: "deleted" },
			{ path: "sub/other.txt", status: "modified" },
		]);
		core.play = async (_turn, sink) => {
			await say(sink, "Nothing was changed.");
			return ended;
		};
		expect((await core.settled(await core.submit("t3"))).edits).toBeUndefined();
	});

	it("of a cancelled run lists what was written between the stop and its end", async () => {
		await using core = await Core.open(async ({ workingDirectory }, sink, stop) => {
			await say(sink, "at work");
			await whenAborted(stop);
			await writeFile(join(workingDirectory, "late.txt"), "x");
			return { kind: "cancelled", remote: false };
		});
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "said");
		await core.service.cancel(runId);
		const end = await core.settled(runId);
		expect(end).toMatchObject({ status: "cancelled", edits: { files: [{ path: "late.txt", status: "added" }] } });
	});

	it("of a run after one that left nothing lists a new file too", async () => {
		await using core = await Core.open(async (_turn, sink) => {
			await say(sink, "Hello.");
			return ended;
		});
		expect((await core.settled(await core.submit("t1"))).edits).toBeUndefined();
		core.play = async ({ workingDirectory }, sink) => {
			await writeFile(join(workingDirectory, "notes.txt"), "x");
			await say(sink, "Hello.");
			return ended;
		};
		expect((await core.settled(await core.submit("t2"))).edits?.files).toEqual([{ path: "notes.txt", status: "added" }]);
	});

	it("names, of an interrupted run, the folder that its files are in, and none if there are none", async () => {
		await using core = await Core.open(async ({ workingDirectory, artifactDirectory, turnId }, sink) => {
			if (turnId === "t1") await writeFile(join(workingDirectory, "notes.txt"), "x");
			if (turnId === "t2") await writeFile(join(artifactDirectory, "report.md"), "x");
			await say(sink, "at work");
			return await new Promise<ProviderOutcome>(() => undefined);
		});
		const submit = (turn: string) => core.submit(turn, { threadId: turn, sessionId: turn });
		const runs = [await submit("t1"), await submit("t2"), await submit("t3")];
		for (const run of runs) await core.until(run, ({ event }) => event.type === "said");
		await core.crash();
		const [above, scope, none] = await Promise.all(runs.map((run) => core.settled(run)));
		expect(above?.workedIn).toMatch(/workspaces\/[^/]+$/);
		expect(above?.message).toBe(
			`The bridge was restarted while the run was executing; its outcome is unknown.\nNo files were collected. Files that the run wrote may be in ${above?.workedIn}.`,
		);
		expect(scope?.workedIn?.endsWith(scope.artifactScope)).toBe(true);
		expect(none?.workedIn).toBeUndefined();
		expect(none?.message).toMatch(/No files were collected\.$/);
	});
});

describe("an edit that is reported and did not happen", () => {
	const edit = { kind: "tool_call", toolCallId: "c1", title: "Edit other.txt", toolKind: "edit", state: "completed" } as const;

	it("is no action: its receipt says so, it backs no claim, and the run lacks something", async () => {
		await using core = await Core.open(async (_turn, sink) => {
			await sink.emit({ ...edit, untouched: true });
			await say(sink, "I have changed the timeout.");
			return ended;
		});
		const end = await core.settled(await core.submit("t1"));
		expect(end.activity?.items).toMatchObject([{ status: "succeeded", contradiction: "untouched" }]);
		expect(end.grounding?.problems).toHaveLength(1);
		expect(lackingIn({ activity: end.activity })).toBe("unverified");
	});

	it("is one after all if its file shows it later, and one that only differs from the report happened", async () => {
		await using core = await Core.open(async (_turn, sink) => {
			await sink.emit({ ...edit, untouched: true });
			await sink.emit({ ...edit, toolCallId: "c2", notHeld: true });
			await say(sink, "I have changed the timeout.");
			await sink.emit({ ...edit, untouched: false });
			return ended;
		});
		const end = await core.settled(await core.submit("t1"));
		expect(end.activity?.items.map(({ contradiction }) => contradiction)).toEqual([undefined, "not_held"]);
		expect(end.grounding).toBeUndefined();
		expect(lackingIn({ activity: end.activity })).toBeUndefined();
	});
});

it("the list of runs counts the commands that the agent reported as failed and did not repeat with success", async () => {
	const command = (toolCallId: string, title: string, state: "completed" | "failed") =>
		({ kind: "tool_call", toolCallId, title, toolKind: "execute", state }) as const;
	await using core = await Core.open(async ({ turnId }, sink) => {
		await sink.emit(command("c1", "npm test", "failed"));
		if (turnId === "t2") await sink.emit(command("c2", "npm test", "completed"));
		await say(sink, "All tests pass.");
		return ended;
	});
	for (const turn of ["t1", "t2"]) await core.settled(await core.submit(turn, { threadId: turn, sessionId: turn }));
	const { items } = await core.service.list({ limit: 10 });
	const counts = Object.fromEntries(items.map(({ turnId, failedCommands }) => [turnId, failedCommands]));
	expect(counts).toEqual({ t1: 1, t2: undefined });
});
