import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Activity, ReportedToolId, RunId, Snapshot, ThreadId, ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { threadMarkdown } from "../../src/export/thread-markdown.ts";
import { CoreScene, held, routing } from "../support/core-scene.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { until } from "../support/until.ts";

const NOT_SAVED = "collected by the bridge, which keeps files for a limited time. Not saved in the thread’s folder.";

/** A thread of one run, as Markdown and as the bytes of a zip, whose files are stored as they are. */
async function exported(play: (run: FakeRun) => unknown): Promise<Readonly<Record<"md" | "zip", string>>> {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void play(run);
	const sent = await scene.send("work");
	await scene.end(sent);
	return { md: await read(scene, sent.threadId, "md"), zip: await read(scene, sent.threadId, "zip") };
}

async function read(scene: CoreScene, threadId: Awaited<ReturnType<CoreScene["send"]>>["threadId"], format: "md" | "zip") {
	const bytes: Buffer[] = [];
	for await (const piece of scene.api.exportThread({ threadId, format })) {
		if (piece.type === "piece") bytes.push(Buffer.from(piece.base64, "base64"));
	}
	return Buffer.concat(bytes).toString();
}

function claim(text: string): NonNullable<Snapshot["grounding"]> {
	return { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: text.length }] };
}

describe("the export of a run that is no plain success", () => {
	it("that failed says which claims could not be verified, and that its files are not in the folder", async () => {
		const { md, zip } = await exported((run) => {
			run.message = "bad exited with signal SIGKILL.";
			run.answer = "I have sent the *invoice*.";
			run.checked = { grounding: claim(run.answer) };
			run.text(run.answer).end("failed", { "half.md": "half" }, "PROVIDER_EXITED");
		});
		const failed = "**Failed \\(PROVIDER\\_EXITED\\).** bad exited with signal SIGKILL.";
		const why = "Couldn’t verify what the answer claims: no file or call in this run confirms this.";
		expect(md).toContain(`\n${failed}\n\n${why}\n\n- “I have sent the \\*invoice\\*.”\n\n> I have sent the *invoice*.\n`);
		const unfinished = "Files of an unfinished run may be incomplete.";
		expect(md).toContain(`\n1 file ${NOT_SAVED} ${unfinished}\n\n- \`half.md\`, SHA-256 `);
		expect(zip).toContain(`\n1 file ${NOT_SAVED} ${unfinished} This zip does not contain it.\n\n- \`half.md\`, SHA-256 `);
		expect(md).not.toContain("Files from this run");
	});

	it("that was stopped says that its files are not in the folder, and may be incomplete", async () => {
		const { md } = await exported((run) => run.text("half").end("cancelled", { "a.txt": "a", "b.txt": "b" }));
		expect(md).toContain(`\n2 files ${NOT_SAVED} Files of an unfinished run may be incomplete.\n\n- \`a.txt\`, `);
		expect(md).not.toContain("Files from this run");
	});

	it("that was stopped says that its agent did not respond to the stop, without a code", async () => {
		const { md } = await exported((run) => {
			run.message = "bad did not respond to the stop within 10 s, so the bridge ended its process.";
			run.text("half").end("cancelled");
		});
		expect(md).toContain("\n**Cancelled.** bad did not respond to the stop within 10 s, so the bridge ended its process.\n");
	});

	it("names the edit that was reported but not found", async () => {
		const { md } = await exported((run) => {
			run.checked = { activity: activityOf(run.runId, "Edit report.md", "not_found") };
			run.text("Done.").end("completed");
		});
		const why = "Succeeded, but not everything that the agent reports happened.";
		expect(md).toContain(`\n**Not verified.** ${why}\n\n- Reported as changed, but not found afterwards: Edit report.md\n\n`);
	});

	it("lists what was rejected of a run that succeeded, and says that nothing was delivered", async () => {
		const { md } = await exported((run) => {
			run.checked = { rejectedArtifacts: [{ path: "a\u202Efdp.exe", reason: "unsafe_name" }], rejectedCount: 3 };
			run.text("Done.").end("completed");
		});
		expect(md).toContain(
			"\nNo files delivered: 3 were rejected.\n\nRejected files:\n\n- `a⟨U+202E⟩fdp.exe`: unsafe file name\n- and 2 more\n",
		);
	});

	it("does not give a contradicted edit as the reason why files were rejected", async () => {
		const { md } = await exported((run) => {
			const activity = activityOf(run.runId, "Edit a.md", "not_held");
			run.checked = { activity, rejectedArtifacts: [{ path: "b.md", reason: "symlink" }], rejectedCount: 1 };
			run.text("Done.").end("completed");
		});
		expect(md).toMatch(/\n\*\*Files rejected\.\*\* Succeeded, but 1 file was rejected\.\n\n- .*Edit a\.md\n/);
	});

	it("says what changed in the folder where the run worked", async () => {
		const files = [{ path: "a.ts", status: "deleted" as const }];
		const { md } = await exported((run) => {
			run.checked = { edits: { place: "folder", directory: "/p", files, total: 1 } };
			run.text("Done.").end("completed");
		});
		expect(md).toContain("\n1 file changed in the project folder during the run: a.ts \\(deleted\\)\n\n> Done.\n");
	});

	it("says of each delivered file that is not in the folder as it was delivered", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a", "b.txt": "b", "c.txt": "c" });
		const sent = await scene.send("work");
		await scene.end(sent);
		const { folder } = await scene.api.showThread(sent);
		rmSync(join(folder, "b.txt"));
		writeFileSync(join(folder, "c.txt"), "edited");
		const md = await read(scene, sent.threadId, "md");
		expect(md).toMatch(/\nFiles from this run:\n\n- `a.txt`, SHA-256 \w+\n- `b.txt`, SHA-256 \w+ \(Missing from folder\)\n/);
		expect(md).toMatch(/\n- `c.txt`, SHA-256 \w+ \(Edited\)\n/);
	});

	it("has the messages that are queued behind it, and says that they are on hold", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const { threadId, turnId } = await scene.send("first");
		await until("it runs", () => scene.bridge.runs.length === 1);
		const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
		await scene.api.queueMessage({ threadId, prompt: "# and then\nmore", routing, attachments });
		expect(await read(scene, threadId, "md")).toContain("\n## 1 queued message, not sent\n");
		run().end("failed", {}, "PROVIDER_EXITED");
		await scene.end({ threadId, turnId });
		const md = await read(scene, threadId, "md");
		expect(md).toContain(", 1 message, 1 queued message on hold. Exported ");
		expect(md).toContain("\n## 1 queued message on hold, not sent\n\n> # and then\n> more\n\nAttached: `a.txt`\n");
	});
});

it("the heading of the answer of a run that has not ended says as of when", async () => {
	await using scene = await CoreScene.open();
	const run = held(scene.bridge);
	const { threadId, turnId } = await scene.send("work");
	await until("it runs", async () => (await read(scene, threadId, "md")).includes("> at work"));
	const md = await read(scene, threadId, "md");
	const [, exportedAt] = /Exported (\S+) by/.exec(md) ?? [];
	expect(md).toMatch(/^### Answer from .*, running as of \S+$/m);
	expect(md).toContain(`, running as of ${exportedAt}\n`);
	run().end("completed");
	await scene.end({ threadId, turnId });
	expect(await read(scene, threadId, "md")).not.toContain("as of");
});

it("of a run whose contact is lost, the heading says since when its state may be out of date", () => {
	const text = markdownOf({ turn: { status: "running" } }, { asOf: "2026-01-02T09:00:00.000Z" });
	expect(text).toContain("### Answer from `codex`, running as of 2026-01-02T09:00:00.000Z\n");
});

it.each([
	["half", "Some of this run’s steps are missing here. The answer below is from the run’s result.", "\n\n> All of it.\n"],
	["All of it.", "Some of this run’s steps are missing here.", "\n"],
	// An earlier message that only begins with the answer.
	["All of it. Not!", "Some of this run’s steps are missing here. The answer below is from the run’s result.", "\n\n> All of it.\n"],
])("has the answer of a run whose last updates could not be fetched, once: %s", (said, note, after) => {
	const none = { artifacts: { items: [], count: 0 }, rejectedArtifacts: [] };
	const snapshot = { status: "completed", provider: { providerId: "codex" }, lastSeq: 9, output: { text: "All of it." }, ...none };
	const text = markdownOf({ turn: { status: "completed" }, snapshot, told: [{ text: said }], lastSeq: 4 });
	expect(text).toContain(`\n> ${said}\n\n*${note}*${after}`);
	expect(text.split("> All of it.\n")).toHaveLength(2);
});

/** A thread of one turn, of which a test gives what it is about. */
function markdownOf({ turn, ...rest }: Readonly<Record<string, unknown>>, more: { readonly asOf?: string } = {}): string {
	const request = { prompt: "work", routing: { executionTarget: "agent", providerId: "codex" }, attachments: [] };
	const at = "2026-01-02T10:00:00.000Z";
	const whole = {
		turn: { turnId: "t", createdAt: at, ...Object(turn) },
		request,
		told: [],
		leftOut: [],
		contradicted: [],
		files: [],
		...rest,
	};
	return threadMarkdown({
		thread: { threadId: "draft:x" as ThreadId, title: "T", createdAt: at as never },
		records: [JSON.parse(JSON.stringify(whole))],
		queue: {},
		exportedAt: at,
		...more,
	});
}

function activityOf(runId: RunId, words: string, contradiction: Activity["items"][number]["contradiction"]): Activity {
	const item = {
		toolCallId: "c1" as ToolCallId,
		toolId: "codex:edit" as ReportedToolId,
		risk: "write" as const,
		origin: "reported" as const,
		status: "succeeded" as const,
		contradiction,
		when: "2026-01-02T03:04:05.006Z",
		words,
		receiptRef: `${runId}.1` as Activity["items"][number]["receiptRef"],
	};
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
	return { runId, completed: 0, counts, items: [item], truncated: false };
}

it.each([
	["completed", "succeeded"],
	["artifact_missing", "file missing"],
] as const)("the heading of the answer of a run that ended as %s says so in the words of the page", async (status, said) => {
	const { md } = await exported((run) => run.text("Done.").end(status));
	expect(md).toMatch(new RegExp(`^### Answer from .*, ${said}$`, "m"));
});
