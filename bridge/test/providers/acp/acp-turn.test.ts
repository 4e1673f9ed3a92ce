import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AcpBench } from "./support/acp-bench.ts";

describe("a turn with an agent over stdio", () => {
	it("streams the agent's words, writes where the prompt says, and ends", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome, artifactDirectory } = await bench.run("UNRULY:SAY hello ;; WRITE report.md # done ;; SAY  world");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.messages).toEqual(["hello world"]);
		expect(await readFile(join(artifactDirectory, "report.md"), "utf8")).toBe("# done");
	});

	it("starts a new message after a thought or a new tool call, so that the last message is the answer", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:SAY remark ;; THINK hm ;; SAY more ;; TOOL edit ;; SAY the answer");
		expect(sink.messages).toEqual(["remark", "more", "the answer"]);
		expect(sink.of("thought_delta").map(({ text }) => text)).toEqual(["hm"]);
	});

	it("shows tool calls as whole upserts with input, output, diff and places", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:TOOL edit");
		const calls = sink.of("tool_call");
		expect(calls.map(({ state }) => state)).toEqual(["pending", "running", "completed"]);
		expect(calls.every(({ title, toolKind }) => title === "edit" && toolKind === "edit")).toBe(true);
		expect(calls[0]?.input).toEqual({ text: '{"path":"a.txt"}', truncated: false });
		expect(calls[2]).toMatchObject({
			output: { text: "did edit", truncated: false },
			diff: [{ path: "/work/a.txt", oldText: "old", newText: "new", truncated: false }],
			locations: [{ path: "/work/a.txt", line: 3 }],
		});
	});

	it("keeps calls apart for which the agent uses one id, and adds what it reports later to the newest", async () => {
		await using bench = await AcpBench.open();
		const sent = (sessionUpdate: string, toolCallId: string, more: object) =>
			`UPDATE ${JSON.stringify({ sessionUpdate, toolCallId, kind: "execute", ...more })}`;
		const call = (title: string, more: object) => sent("tool_call", "1", { title, rawInput: { command: title }, ...more });
		const update = (status: string) => sent("tool_call_update", "1", { status });
		const reports = [
			...[call("ls", { status: "pending" }), call("ls", { status: "in_progress" }), update("completed")],
			// What is repeated, and what turns out to have failed, is still the same call.
			...[call("ls", { status: "completed" }), update("failed")],
			sent("tool_call", "1#2", { title: "own", status: "completed" }),
			...[call("rm -r old", { status: "pending" }), update("completed")],
			call("make", { status: "completed" }),
			...[call("make", { status: "pending" }), update("failed")],
			...[sent("tool_call", "1#3", { title: "also own", status: "pending" }), sent("tool_call_update", "1#3", { status: "completed" })],
		];
		const { sink } = await bench.run(`UNRULY:${reports.join(" ;; ")}`);
		const last = new Map(sink.of("tool_call").map(({ toolCallId, title, state }) => [toolCallId, [title, state]]));
		expect([...last]).toEqual([
			["1", ["ls", "failed"]],
			["1#2", ["own", "completed"]],
			["1#3", ["rm -r old", "completed"]],
			["1#4", ["make", "completed"]],
			["1#5", ["make", "failed"]],
			["1#3#2", ["also own", "completed"]],
		]);
	});

	it("says of an edit that was only reported that its file is not there, until the file is there", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await mkdtemp(join(tmpdir(), "edits-"));
		const path = join(workingDirectory, "report.md");
		const edit = (toolCallId: string, more: object) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId, kind: "edit", status: "completed", ...more })}`;
		const reports = [
			edit("gone", { title: "report.md", locations: [{ path }] }),
			edit("silent", { title: "something" }),
			edit("unclear", { rawInput: { path: { nested: true } } }),
			edit("elsewhere", { rawInput: { path: "report.md", cwd: "/elsewhere" } }),
			// What came before is in the log when the agent gets its answer.
			"ASK go on",
			`WRITE ${path} here`,
			edit("there", { rawInput: { path: "report.md" } }),
			edit("gone", { content: [{ type: "diff", path, newText: "here" }] }),
		];
		const { sink } = await bench.run(`UNRULY:${reports.join(" ;; ")}`, { workingDirectory });
		await rm(workingDirectory, { recursive: true });
		const edits = sink.of("tool_call").filter(({ toolKind }) => toolKind === "edit");
		expect(edits.map(({ toolCallId, notFound }) => [toolCallId, notFound])).toEqual([
			["gone", true],
			["silent", undefined],
			["unclear", undefined],
			["elsewhere", undefined],
			["there", undefined],
			["gone", false],
		]);
	});

	it("says of a deletion that was only reported whether its file is still there", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await mkdtemp(join(tmpdir(), "deletions-"));
		const path = join(workingDirectory, "keep.md");
		const deletion = (toolCallId: string, more: object) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId, kind: "delete", status: "completed", ...more })}`;
		const reports = [
			`WRITE ${path} here`,
			deletion("kept", { locations: [{ path }] }),
			deletion("gone", { rawInput: { path: "never.md" } }),
			deletion("silent", { title: "something" }),
			deletion("elsewhere", { rawInput: { path: "keep.md", cwd: "/elsewhere" } }),
			"ASK go on",
		];
		const { sink } = await bench.run(`UNRULY:${reports.join(" ;; ")}`, { workingDirectory });
		await rm(workingDirectory, { recursive: true });
		const deletions = sink.of("tool_call").filter(({ toolKind }) => toolKind === "delete");
		expect(deletions.map(({ toolCallId, stillThere }) => [toolCallId, stillThere])).toEqual([
			["kept", true],
			["gone", undefined],
			["silent", undefined],
			["elsewhere", undefined],
		]);
	});

	it("says that a file was deleted only if it was there when the call was reported or asked about", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await realpath(await mkdtemp(join(tmpdir(), "deletions-")));
		const inFolder = (name: string) => join(workingDirectory, name);
		const report = (toolCallId: string, more: object) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId, ...more })}`;
		const announced = (id: string) => report(id, { kind: "delete", status: "pending", locations: [{ path: inFolder(id) }] });
		const ids = ["told", "asked", "never"];
		const reports = [
			...[`WRITE ${inFolder("told")} x`, ...ids.map(announced), `WRITE ${inFolder("asked")} x`, "ASK_BARE asked Delete"],
			...ids.map((id) => report(id, { status: "completed" })),
		];
		const { sink, outcome } = await bench.begin(`UNRULY:${reports.join(" ;; ")}`, { workingDirectory });
		sink.answering = async () => {
			for (const name of ["told", "asked"]) await rm(inFolder(name));
			return { decision: "allow_once" };
		};
		await outcome;
		await rm(workingDirectory, { recursive: true });
		const ends = sink.of("tool_call").filter(({ toolKind, state }) => toolKind === "delete" && state === "completed");
		expect(ends.map(({ toolCallId, stillThere }) => [toolCallId, stillThere])).toEqual([
			["told", false],
			["asked", false],
			["never", undefined],
		]);
	});

	it("compares the file of an edit with the change that only the request for it showed", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await realpath(await mkdtemp(join(tmpdir(), "asked-edits-")));
		const edit = (id: string, written: string) => {
			const path = join(workingDirectory, id);
			const asked = JSON.stringify({ path, newText: "the safe value\n" });
			const done = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" });
			return [`ASK_EDIT ${id} ${asked}`, `WRITE ${path} ${written}`, `UPDATE ${done}`];
		};
		const steps = [...edit("liar", "evil"), ...edit("honest", "the safe value")];
		const { sink } = await bench.run(`UNRULY:${steps.join(" ;; ")}`, { workingDirectory });
		await rm(workingDirectory, { recursive: true });
		const ends = sink.of("tool_call").filter(({ state }) => state === "completed");
		expect(ends.map(({ toolCallId, notHeld, untouched }) => ({ toolCallId, notHeld, untouched }))).toEqual([
			{ toolCallId: "liar", notHeld: true },
			{ toolCallId: "honest", untouched: false },
		]);
	});

	it("says of an edit that was allowed and not made that its file, which was written just before the turn, did not change", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await realpath(await mkdtemp(join(tmpdir(), "edits-")));
		const path = join(workingDirectory, "q.txt");
		await writeFile(path, "line one\n");
		// The turn before it takes longer than a tick of the clock that files get their times from.
		await bench.run("UNRULY:SAY done");
		const asked = JSON.stringify({ path, newText: "line two\n" });
		const content = [{ type: "diff", path, oldText: "line one\n", newText: "line three\n" }];
		const done = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "e1", status: "completed", content });
		const { sink } = await bench.run(`UNRULY:ASK_EDIT e1 ${asked} ;; UPDATE ${done}`, { workingDirectory });
		await rm(workingDirectory, { recursive: true });
		expect(sink.of("tool_call").at(-1)).toMatchObject({ toolCallId: "e1", state: "completed", untouched: true });
	});

	it("says of an edit that was only reported whether its file changed at all, and whether it holds what was reported", async () => {
		await using bench = await AcpBench.open();
		const workingDirectory = await realpath(await mkdtemp(join(tmpdir(), "edits-")));
		const path = join(workingDirectory, "a.txt");
		const edit = (toolCallId: string, more: object) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId, kind: "edit", status: "completed", ...more })}`;
		const diff = (newText: string) => ({ content: [{ type: "diff", path, newText }] });
		const late = join(workingDirectory, "late.txt");
		const reports = [
			`WRITE ${path} bad bytes`,
			edit("elder", { locations: [{ path: process.execPath }] }),
			edit("other", diff("good bytes\n")),
			// A later edit of the file would explain what it holds, so the first is examined before.
			"ASK the rest",
			edit("part", diff("bad")),
			edit("silent", { locations: [{ path }] }),
			edit("both", { locations: [{ path: process.execPath }, { path }] }),
			edit("late", { locations: [{ path: late }] }),
			"ASK go on",
			`WRITE ${late} now`,
		];
		const { sink } = await bench.run(`UNRULY:${reports.join(" ;; ")}`, { workingDirectory });
		await rm(workingDirectory, { recursive: true });
		const edits = sink.of("tool_call").filter(({ toolKind }) => toolKind === "edit");
		expect(edits.map(({ toolCallId, notFound, untouched, notHeld }) => ({ toolCallId, notFound, untouched, notHeld }))).toEqual([
			{ toolCallId: "elder", untouched: true },
			{ toolCallId: "other", notHeld: true },
			{ toolCallId: "part", untouched: false },
			{ toolCallId: "silent", untouched: false },
			{ toolCallId: "both" },
			{ toolCallId: "late", notFound: true },
			{ toolCallId: "late", notFound: false, untouched: false },
		]);
	});

	it("does not hold against an edit what a command did that was reported before the edit was examined", async () => {
		await using bench = await AcpBench.open();
		const folder = await mkdtemp(join(tmpdir(), "edits-"));
		const [path, end] = [join(folder, "code.js"), join(folder, "end")];
		const update = (more: object) => `UPDATE ${JSON.stringify({ sessionUpdate: "tool_call", status: "completed", ...more })}`;
		const content = [{ type: "diff", path, newText: "const a=1" }];
		const edit = update({ toolCallId: "edit", title: "Write code.js", kind: "edit", content });
		const command = update({ toolCallId: "format", title: "npx prettier -w code.js", kind: "execute" });
		const { sink, outcome } = await bench.begin(`UNRULY:WRITE ${path} formatted ;; ${edit} ;; ${command} ;; WRITE ${end} x`);
		// The log takes nothing until the agent has sent everything, and it has been read.
		let rounds = 0;
		sink.pace = async () => {
			while (rounds < 500) {
				if (existsSync(end)) rounds++;
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		expect(await outcome).toEqual({ kind: "ended" });
		await rm(folder, { recursive: true });
		expect(sink.of("tool_call").map(({ toolCallId, notHeld }) => [toolCallId, notHeld])).toEqual([
			["edit", undefined],
			["format", undefined],
		]);
	});

	it("passes plan and usage on and ignores updates of kinds it does not know", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run('UNRULY:PLAN ;; USAGE ;; UPDATE {"sessionUpdate":"from_the_future","x":1} ;; SAY done');
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.of("plan")[0]?.entries).toEqual([
			{ content: "first", state: "completed", priority: "high" },
			{ content: "second", state: "in_progress", priority: "low" },
		]);
		expect(sink.of("usage")[0]).toEqual({ kind: "usage", contextUsed: 1000, contextSize: 8000, costUsd: 0.25 });
		expect(sink.updates.map(({ kind }) => kind)).toEqual(["plan", "usage", "message_delta"]);
	});

	it("cuts previews at 16 KiB and says so", async () => {
		await using bench = await AcpBench.open();
		const big = "é".repeat(20_000);
		const update = { sessionUpdate: "tool_call", toolCallId: "t", title: "big", status: "completed", rawInput: { big }, rawOutput: big };
		const { sink } = await bench.run(`UNRULY:UPDATE ${JSON.stringify(update)}`);
		const [call] = sink.of("tool_call");
		expect(call?.input?.truncated).toBe(true);
		expect(Buffer.byteLength(call?.input?.text ?? "")).toBeLessThanOrEqual(16 * 1024);
		expect(Buffer.byteLength(call?.output?.text ?? "")).toBe(16 * 1024);
	});

	it("keeps every update when the log is slow, and does not read ahead of it", async () => {
		await using bench = await AcpBench.open({ bounds: { pendingUpdates: 4 } });
		const { sink, outcome } = await bench.begin("UNRULY:FLOOD 300 2000");
		let inFlight = 0;
		sink.pace = async () => {
			inFlight++;
			expect(inFlight).toBe(1);
			await new Promise((resolve) => setImmediate(resolve));
			inFlight--;
		};
		expect(await outcome).toEqual({ kind: "ended" });
		expect(sink.text.length).toBe(600_000);
	});

	it("names attachments in the text and links them", async () => {
		await using bench = await AcpBench.open();
		const path = join(bench.workspace, "in put.csv");
		const attachments = [{ path, name: "in put.csv", mediaType: "text/csv" }];
		const { sink } = await bench.run("UNRULY:BLOCKS", { attachments });
		const [text, link] = JSON.parse(sink.text) as [{ text: string }, object];
		expect(text.text).toContain(`- in put.csv (text/csv): ${path}`);
		expect(text.text.endsWith("UNRULY:BLOCKS")).toBe(true);
		expect(link).toEqual({
			type: "resource_link",
			uri: expect.stringMatching(/^file:.*in%20put\.csv$/),
			name: "in put.csv",
			mimeType: "text/csv",
		});
	});

	it("gives agents neither the bridge's tokens nor variables of the test runner", async () => {
		await using bench = await AcpBench.open({
			environment: { XWORKMATE_TOKEN: "t", OPENCLAW_GATEWAY_TOKEN: "t", VITEST_POOL_ID: "1", KEPT: "yes" },
		});
		const { sink } = await bench.run("UNRULY:ENV XWORKMATE_TOKEN ;; ENV OPENCLAW_GATEWAY_TOKEN ;; ENV VITEST_POOL_ID ;; ENV KEPT");
		expect(sink.text.match(/\(unset\)/g)).toHaveLength(3);
		expect(sink.text).toContain("KEPT=yes");
	});

	it("answers method-not-found to file and terminal calls it has not offered", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run("UNRULY:CALL fs/write_text_file ;; CALL terminal/create");
		expect(sink.text).toBe("fs/write_text_file: error -32601\nterminal/create: error -32601\n");
		expect(outcome).toEqual({ kind: "ended" });
	});
});
