import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Grounding, ThreadId, ToolCallId } from "@xworkmate/contracts";
import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import type { ExportPiece } from "../../src/api/export-piece.ts";
import { type ExportedTurn, threadMarkdown } from "../../src/export/thread-markdown.ts";
import { runAgainst } from "../support/command-scene.ts";
import { CoreScene } from "../support/core-scene.ts";
import { exported, unzip, withFiles } from "../support/exported-thread.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

it("an export into a folder that does not exist says so, and names the folder", async () => {
	using home = temporaryHome();
	const pieces = async function* (): AsyncGenerator<ExportPiece> {};
	const folder = join(home.path, "nowhere");
	const { error } = await runAgainst({ exportThread: pieces as never }, ["threads", "export", "t", "--to", join(folder, "t.md")]);
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: `The folder ${folder} does not exist.` });
	writeFileSync(folder, "a file");
	const within = await runAgainst({ exportThread: pieces as never }, ["threads", "export", "t", "--to", join(folder, "t.md")]);
	expect(within.error).toMatchObject({ code: "INVALID_INPUT", message: `${folder} is not a folder.` });
});

describe("an exported thread", () => {
	it("is Markdown with its messages, answers and the hashes of its files", async () => {
		await using scene = await CoreScene.open();
		const { threadId } = await withFiles(scene);
		const { bytes, ended } = await exported(scene, threadId, "md");
		const text = bytes.toString();
		expect(text).toMatch(/^# Write a \\\*report\\\*\n/);
		expect(text).toContain("> Write a *report*");
		expect(text).toContain("> Here it is.");
		expect(text).toContain(`- \`out/report.md\`, SHA-256 ${sha256(Buffer.from("# Report"))}`);
		expect(ended).toMatchObject({ name: "Write a _report_.md", lacking: [] });
	});

	it("has everything that the agent said, before and after its calls, and says where calls are left out", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => {
			const call = { kind: "tool_call", title: "ls", toolKind: "execute" } as const;
			const toolCallId = "c1" as ToolCallId;
			run.say({ kind: "message_delta", messageId: "m0", text: "FIRST " });
			run.say({ kind: "message_delta", messageId: "m0", text: "PART" });
			run.say({ ...call, toolCallId, state: "running" }).say({ ...call, toolCallId, state: "completed" });
			run.asks("deploy").asks("deploy", "deny").text("SECOND PART");
			run.say({ kind: "plan", entries: [] }).say({ kind: "thought_delta", messageId: "t0", text: " " });
			run.answer = "SECOND PART";
			run.end("completed");
		};
		const sent = await scene.send("do it");
		await scene.end(sent);
		const said = "> FIRST PART\n\n*Not in this export: 1 call and 1 request.*\n\n> SECOND PART\n";
		expect((await exported(scene, sent.threadId, "md")).bytes.toString()).toContain(said);
		const zip = await exported(scene, sent.threadId, "zip");
		expect(unzip(zip.bytes).get("thread.md")?.toString()).toContain(said);
	});

	it.each<[string, (run: FakeRun) => unknown, string]>([
		["plan", (run) => run.say({ kind: "plan", entries: [{ content: "Wipe", state: "completed" }] }), "the agent’s plan"],
		["thoughts", (run) => run.say({ kind: "thought_delta", messageId: "t0", text: "Done." }), "the agent’s thoughts"],
	])("says that the agent's %s is left out", async (_, play, what) => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => {
			play(run);
			run.text("SAID").end("completed");
		};
		const sent = await scene.send("do it");
		await scene.end(sent);
		expect((await exported(scene, sent.threadId, "md")).bytes.toString()).toContain(`> SAID\n\n*Not in this export: ${what}.*\n`);
	});

	it("is a zip with the files as they are in the folder now, and the hashes of those bytes", async () => {
		await using scene = await CoreScene.open();
		const { threadId } = await withFiles(scene);
		const { folder } = await scene.api.showThread({ threadId });
		writeFileSync(join(folder, "b.txt"), "edited");
		const { bytes, ended } = await exported(scene, threadId, "zip");
		const files = unzip(bytes);
		expect([...files.keys()].sort()).toEqual(["SHA256SUMS", "files/b.txt", "files/out/report.md", "thread.md"]);
		expect(files.get("files/b.txt")?.toString()).toBe("edited");
		const sums = files.get("SHA256SUMS")?.toString().trimEnd().split("\n") ?? [];
		expect(sums.toSorted()).toEqual(
			[...files].flatMap(([name, content]) => (name === "SHA256SUMS" ? [] : [`${sha256(content)}  ${name}`])).sort(),
		);
		expect(ended).toMatchObject({ files: 2, lacking: [] });
	});

	it("says of each file of a zip whether its bytes are the folder's or those that were delivered", async () => {
		await using scene = await CoreScene.open();
		const { threadId } = await withFiles(scene);
		const { folder } = await scene.api.showThread({ threadId });
		writeFileSync(join(folder, "b.txt"), "edited");
		const report = join(folder, "out/report.md");
		writeFileSync(report, "edited too");
		rmSync(report);
		const files = unzip((await exported(scene, threadId, "zip")).bytes);
		expect(files.get("files/out/report.md")?.toString()).toBe("# Report");
		const text = files.get("thread.md")?.toString() ?? "";
		const delivered = "- `files/out/report.md`, the bridge's copy, as delivered; it is not in the thread's folder as a regular file\n";
		expect(text).toContain("- `files/b.txt`, from the thread's folder\n");
		expect(text).toContain(delivered);
		symlinkSync(join(folder, "b.txt"), report);
		expect(
			unzip((await exported(scene, threadId, "zip")).bytes)
				.get("thread.md")
				?.toString(),
		).toContain(delivered);
		expect(text).not.toContain("edits included");
	});

	it.each<[string, (run: FakeRun) => unknown, string]>([
		[
			"died",
			(run) => Object.assign(run, { message: "bad exited with code 1." }).text("half").end("failed", {}, "PROVIDER_EXITED"),
			"**Failed \\(PROVIDER\\_EXITED\\).** bad exited with code 1.",
		],
		[
			"was interrupted",
			(run) => Object.assign(run, { message: "The bridge was restarted." }).end("interrupted", {}, "BRIDGE_RESTARTED"),
			"**Interrupted, outcome unknown \\(BRIDGE\\_RESTARTED\\).** The bridge was restarted.",
		],
		[
			"was not verified",
			(run) => {
				const problems = [{ code: "CLAIM_WITHOUT_ACTION" as const, start: 0, end: 4 }];
				run.checked = { grounding: { state: "unverified", problems } };
				run.end("completed");
			},
			"**Not verified.** Couldn’t verify what the answer claims: no file or call in this run confirms this.",
		],
		[
			"was not verified for several reasons",
			(run) => {
				const problems: Grounding["problems"] = [
					{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 10 },
					{ code: "CLAIM_WITHOUT_SUCCESS", start: 11, end: 24, reason: "no_file" },
				];
				run.checked = { grounding: { state: "unverified", problems } };
				run.answer = "I sent it. I wrote a md.";
				run.end("completed");
			},
			"**Not verified.** Couldn’t verify what the answer claims:\n\n- “I sent it.”: no file or call in this run confirms this.\n- “I wrote a md.”: a file reported as written or moved wasn’t there when the run ended.",
		],
	])("says of a run that %s why, as threads show does", async (_, play, line) => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void play(run);
		const sent = await scene.send("work");
		await scene.end(sent);
		expect((await exported(scene, sent.threadId, "md")).bytes.toString()).toContain(`\n\n${line}\n\n`);
	});

	it("without files is a zip all the same, and a thread that is not there is none", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => run.end("completed");
		const sent = await scene.send("nothing");
		await scene.end(sent);
		const { bytes, ended } = await exported(scene, sent.threadId, "zip");
		expect([...unzip(bytes).keys()]).toEqual(["thread.md", "SHA256SUMS"]);
		expect(ended).toMatchObject({ files: 0 });
		await expect(exported(scene, "draft:none" as ThreadId, "md")).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	});
});

describe("the Markdown of a thread", () => {
	const at = "2026-01-02T10:00:00.000Z";
	const recordOf = (prompt: string, answer: string): ExportedTurn => {
		const request = { prompt, routing: { executionTarget: "agent" }, attachments: [{ name: "a`b``.txt" }] };
		const provider = { providerId: "codex" };
		const snapshot = { status: "completed", provider, output: { text: answer }, artifacts: { items: [], count: 0 }, rejectedArtifacts: [] };
		const turn = { turnId: "t", status: "completed", createdAt: at };
		return JSON.parse(JSON.stringify({ turn, request, snapshot, told: [], leftOut: [], files: [] }));
	};
	const markdown = (title: string, prompt: string, answer: string) =>
		threadMarkdown({
			thread: { threadId: "draft:x" as ThreadId, title, createdAt: at as never },
			records: [recordOf(prompt, answer)],
			queue: {},
			exportedAt: at,
		});

	it("has no heading, message or markup but its own, whatever was written", () => {
		const hostile = "\r\n## 2. Message\u2028# Title\n<script>\n> quoted\u0007\u202Egnp";
		const text = markdown(`${hostile}](javascript:x) <img>`, hostile, hostile);
		const own = text.split("\n").filter((line) => !line.startsWith(">") && line !== "");
		expect(own).toHaveLength(6);
		expect(own[0]).toMatch(/^# /);
		expect(own[0]).not.toMatch(/[^\\][<\]]/);
		expect(own.filter((line) => line.startsWith("#"))).toEqual([own[0], `## 1. Message, ${at}`, "### Answer from `codex`, succeeded"]);
		for (const hidden of ["\u0007", "\u202E", "\u2028", "\r"]) expect(text).not.toContain(hidden);
		expect(text).toContain("\\u{202e}gnp");
		expect(own[3]).toBe("Attached: ``` a`b``.txt ```");
		expect(own[5]).toBe("No files delivered.");
	});
});

describe("the names of files in the Markdown of a thread", () => {
	const at = "2026-01-02T10:00:00.000Z";

	it("are exact: a space or a line feed that Markdown would leave out is written out, as on the page", () => {
		const artifact = (relativePath: string) => ({ relativePath, sha256: "0".repeat(64) });
		const items = [artifact("  spaces  .txt"), artifact("a b.txt"), artifact("a\u202Fb.txt")];
		const rejectedArtifacts = [{ path: "a\nb.txt", reason: "unsafe_name" }];
		const snapshot = { status: "completed", provider: { providerId: "codex" }, artifacts: { items, count: 3 }, rejectedArtifacts };
		const request = { prompt: "p", routing: { executionTarget: "agent" }, attachments: [{ name: " c.txt" }] };
		const turn = { turnId: "t", status: "completed", createdAt: at };
		const record = { turn, request, snapshot, told: [], leftOut: [], files: [] };
		const text = threadMarkdown({
			thread: { threadId: "draft:x" as ThreadId, title: "T", createdAt: at as never },
			records: [JSON.parse(JSON.stringify(record))],
			queue: {},
			exportedAt: at,
			beside: { files: [{ path: "a b.txt ", from: "folder" }], lacking: [{ path: " d.txt", message: "gone" }] },
		});
		expect(text).toContain("- `⟨U+0020⟩⟨U+0020⟩spaces⟨U+0020⟩⟨U+0020⟩.txt`, SHA-256 ");
		expect(text).toContain("- `a b.txt`, SHA-256 ");
		expect(text).toContain("- `a⟨U+202F⟩b.txt`, SHA-256 ");
		expect(text).toContain("- `a⟨U+000A⟩b.txt`: ");
		expect(text).toContain("Attached: `⟨U+0020⟩c.txt`");
		expect(text).toContain("- `files/a b.txt⟨U+0020⟩`, from the thread's folder");
		expect(text).toContain("- `⟨U+0020⟩d.txt`: gone");
	});
});

describe("threads export", () => {
	const api = (...pieces: readonly ExportPiece[]) => ({
		async *exportThread() {
			yield* pieces;
		},
	});
	const piece = (text: string): ExportPiece => ({ type: "piece", base64: Buffer.from(text).toString("base64") });
	const ended = (lacking: readonly { path: string; message: string }[] = []): ExportPiece => ({
		type: "ended",
		name: "x.zip",
		files: 1,
		lacking,
	});

	it("prints the Markdown", async () => {
		const { lines, code } = await runAgainst(api(piece("# T\n\n"), piece("> hi\n"), ended()), ["threads", "export", "draft:a"]);
		expect([lines.join("\n"), code]).toEqual(["# T\n\n> hi", 0]);
	});

	it("writes a file that is not there yet, and says what the zip lacks", async () => {
		using home = temporaryHome();
		const to = join(home.path, "a.zip");
		const args = ["threads", "export", "draft:a", "--zip", "--to", to];
		const run = await runAgainst(api(piece("PK"), ended([{ path: "b\u001b[2J.txt", message: "gone" }])), args);
		expect(readFileSync(to, "utf8")).toBe("PK");
		expect(run.lines).toEqual([`Exported the thread with 1 file (2 B) to ${to}`, "Not included:", "  b.txt (gone)"]);
		expect(run.code).toBe(8);
		const again = await runAgainst(api(piece("other"), ended()), args);
		expect(again.error).toMatchObject({ code: "INVALID_INPUT" });
		expect(readFileSync(to, "utf8")).toBe("PK");
	});

	it("leaves nothing that looks like an export when it is cut short", async () => {
		using home = temporaryHome();
		const to = home.path;
		const { error } = await runAgainst(api(piece("half")), ["threads", "export", "draft:a", "--to", join(to, "a.md")]);
		expect(error).toMatchObject({ code: "FILE_NOT_FOUND" });
		expect(readdirSync(to)).toEqual([]);
	});

	it("asks where a zip is to go", async () => {
		for (const more of [[], ["--json"]]) {
			const { error, said } = await runAgainst(api(ended()), ["threads", "export", "draft:a", "--zip", ...more]);
			expect(error).toBeInstanceOf(CommanderError);
			expect(said).toContain(
				"error: A zip can't be printed, so it needs a file: npm run -s xworkmate -- threads export draft:a --zip --to",
			);
		}
	});
});
