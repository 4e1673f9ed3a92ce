import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { AcpBench } from "./support/acp-bench.ts";

describe("a permission request", () => {
	it("is asked with the exact command and answered by the kind of the agent's options, never by their names", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run("UNRULY:ASK rm -rf build");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text).toBe("answer allow_once\n");
		expect(sink.questions).toEqual([
			{
				toolCallId: "ask-rm -rf build",
				title: "rm -rf build",
				toolKind: "execute",
				input: { text: '{"command":"rm -rf build"}', truncated: false },
				inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
				allowNames: ["Deny"],
				options: ["allow_once", "allow_window", "deny"],
				command: "rm -rf build",
			},
		]);
	});

	it("names the files that the agent named for the call, and that the input doesn't show", async () => {
		const asked = async (path: (root: string) => string) => {
			await using bench = await AcpBench.open();
			const locations = [{ path: path(bench.root) }];
			const call = JSON.stringify({ sessionUpdate: "tool_call", toolCallId: "ask-cat a.md", title: "a", kind: "execute", locations });
			const { sink } = await bench.run(`UNRULY:UPDATE ${call} ;; ASK cat a.md`);
			return sink.questions[0];
		};
		const other = await asked(() => "/etc/passwd");
		expect(other?.alsoNamed).toEqual(["/etc/passwd"]);
		const shown = await asked(() => "a.md");
		expect(shown?.alsoNamed).toBeUndefined();
		// What it says besides is part of what the user decides about.
		expect(other?.inputHash).not.toBe(shown?.inputHash);
	});

	it.each([
		["allow_window", "allow_once"],
		["deny", "reject_once"],
		["expired", "reject_once"],
	] as const)("answers %s with the agent's %s", async (decision, kind) => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.begin("UNRULY:ASK ls");
		sink.answering = async () => ({ decision });
		expect(await outcome).toEqual({ kind: "ended" });
		expect(sink.text).toBe(`answer ${kind}\n`);
	});

	it("shows the call before the question, and as denied after a no; that the agent reports it as done then is said", async () => {
		await using bench = await AcpBench.open();
		const later = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-ls", status: "completed" });
		const { sink, outcome } = await bench.begin(`UNRULY:ASK ls ;; UPDATE ${later}`);
		let shownBefore = 0;
		sink.answering = async () => {
			shownBefore = sink.of("tool_call").length;
			return { decision: "deny" };
		};
		await outcome;
		expect(shownBefore).toBe(1);
		expect(sink.of("tool_call").map(({ state, unpermitted }) => [state, unpermitted])).toEqual([
			["pending", undefined],
			["denied", undefined],
			["denied", "denied"],
		]);
	});

	it.each([
		["the file has its text at the end", "found", "before", "WRITE"],
		["the file does not have its text", undefined, "before", "SAY"],
		["the file had its text before", undefined, "the denied text", "SAY"],
	])("says of an edit that was denied and not reported as done whether %s", async (_what, unpermitted, before, verb) => {
		await using bench = await AcpBench.open();
		const path = "$XWORKMATE_ARTIFACT_DIRECTORY/notes.txt";
		const content = [{ type: "diff", path, oldText: before, newText: "the denied text" }];
		const call = JSON.stringify({
			sessionUpdate: "tool_call",
			toolCallId: "ask-notes",
			title: "notes",
			kind: "edit",
			status: "pending",
			content,
		});
		const { sink, outcome, artifactDirectory } = await bench.begin(
			`UNRULY:WRITE ${path} ${before} ;; UPDATE ${call} ;; ASK notes ;; ${verb} ${path} the denied text`,
		);
		sink.answering = async () => ({ decision: "deny" });
		expect(await outcome).toEqual({ kind: "ended" });
		expect(sink.of("tool_call").at(-1)).toMatchObject({
			state: "denied",
			...(unpermitted && { unpermitted, locations: [{ path: join(artifactDirectory, "notes.txt") }] }),
		});
		expect(sink.of("tool_call").at(-1)?.unpermitted).toBe(unpermitted);
		expect(sink.of("tool_call").at(-1)?.onlyChanged).toBeUndefined();
	});

	it("does not hold an edit that was denied against the agent, if a command was allowed after it or the agent reports the edit itself", async () => {
		await using bench = await AcpBench.open();
		const path = "$XWORKMATE_ARTIFACT_DIRECTORY/notes.txt";
		const content = [{ type: "diff", path, newText: "the denied text" }];
		const call = JSON.stringify({
			sessionUpdate: "tool_call",
			toolCallId: "ask-notes",
			title: "notes",
			kind: "edit",
			status: "pending",
			content,
		});
		const asked = await bench.begin(`UNRULY:UPDATE ${call} ;; ASK notes ;; ASK touch ;; WRITE ${path} the denied text`);
		asked.sink.answering = async ({ toolCallId }) => ({ decision: toolCallId === "ask-notes" ? "deny" : "allow_once" });
		await asked.outcome;
		expect(asked.sink.of("tool_call").map(({ unpermitted }) => unpermitted)).not.toContain("found");
		const done = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-notes", status: "completed" });
		const said = await bench.begin(`UNRULY:UPDATE ${call} ;; ASK notes ;; WRITE ${path} the denied text ;; UPDATE ${done}`);
		said.sink.answering = async () => ({ decision: "deny" });
		await said.outcome;
		expect(said.sink.of("tool_call").at(-1)).toMatchObject({ state: "denied", unpermitted: "denied" });
	});

	it("says of a call that is reported as done before its answer that nobody was waited for, and not of one after a yes", async () => {
		await using bench = await AcpBench.open();
		const done = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-ls", status: "completed" });
		const { sink, outcome } = await bench.begin(`UNRULY:ASK_ON ls ;; UPDATE ${done}`);
		const asked = Promise.withResolvers<void>();
		sink.answering = async () => {
			asked.resolve();
			return { decision: "withdrawn" };
		};
		await Promise.all([asked.promise, outcome]);
		expect(sink.of("tool_call").map(({ state, unpermitted }) => [state, unpermitted])).toEqual([
			["pending", undefined],
			["completed", "unanswered"],
		]);
		const waited = await bench.run(`UNRULY:ASK ls ;; UPDATE ${done}`);
		expect(waited.sink.of("tool_call").map(({ state, unpermitted }) => [state, unpermitted])).toEqual([
			["pending", undefined],
			["completed", undefined],
		]);
	});

	it("shows what it itself asks for, though another question about the same call arrives at the same moment", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome, artifactDirectory } = await bench.begin("UNRULY:ASK_TWICE ls rm");
		// The log takes the first question only after the second one has been read.
		sink.pace = () => vi.waitUntil(() => existsSync(join(artifactDirectory, "asked-twice")), 10_000).then(() => undefined);
		sink.answering = async ({ command }) => ({ decision: command === "ls" ? "allow_once" : "deny" });
		await outcome;
		expect(sink.questions.map(({ title, command, input }) => [title, command, input?.text])).toEqual([
			["ls", "ls", '{"command":"ls"}'],
			["rm", "rm", '{"command":"rm"}'],
		]);
		expect(new Set(sink.questions.map(({ inputHash }) => inputHash)).size).toBe(2);
		expect(sink.text).toBe("answers allow_once,reject_once\n");
	});

	it("shows what it itself asks for, though the agent changes the call at the same moment", async () => {
		await using bench = await AcpBench.open();
		const update = { sessionUpdate: "tool_call_update", toolCallId: "ask-ls", title: "rm", rawInput: { command: "rm" } };
		const { sink, outcome, artifactDirectory } = await bench.begin(
			`UNRULY:ASK_ON ls ;; UPDATE ${JSON.stringify(update)} ;; CALL fs/read_text_file ;; WRITE $XWORKMATE_ARTIFACT_DIRECTORY/changed now`,
		);
		// The log takes the question only after the change has been read: the call's answer follows it.
		sink.pace = () => vi.waitUntil(() => existsSync(join(artifactDirectory, "changed")), 10_000).then(() => undefined);
		sink.answering = async () => ({ decision: "deny" });
		await outcome;
		expect(sink.questions.map(({ title, command }) => [title, command])).toEqual([["ls", "ls"]]);
	});

	it("says of a call that was allowed and is reported with another command that it is another one, and names both", async () => {
		await using bench = await AcpBench.open();
		const done = (command?: string, status = "completed") =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-ls", status, ...(command && { title: `Run: ${command}`, rawInput: { command } }) })}`;
		const shown = async (...steps: readonly string[]) => {
			const { sink } = await bench.run(`UNRULY:ASK ls ;; ${steps.join(" ;; ")}`);
			return sink.of("tool_call").map(({ unpermitted, swapped }) => [unpermitted, swapped]);
		};
		const swapped = ["another", { allowed: "ls", reported: "rm -rf stuff" }];
		expect((await shown(done("rm -rf stuff"))).at(-1)).toEqual(swapped);
		expect((await shown(done(), done("rm -rf stuff"))).at(-1)).toEqual(swapped);
		expect((await shown(done("rm -rf stuff", "failed"))).at(-1)).toEqual(swapped);
		for (const same of ["ls ", "bash -lc ls", "/bin/zsh -c 'ls'"]) expect((await shown(done(same))).at(-1)).toEqual([undefined, undefined]);
		expect((await shown(done("bash -lc 'ls; rm -rf stuff'"))).at(-1)?.[0]).toBe("another");
	});

	it("says so too of a call whose command the agent changed while it waited for the answer", async () => {
		await using bench = await AcpBench.open();
		const update = (more: object) => JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-ls", ...more });
		const changed = update({ title: "rm -rf stuff", rawInput: { command: "rm -rf stuff" } });
		const { sink, outcome } = await bench.begin(
			`UNRULY:ASK_ON ls ;; UPDATE ${changed} ;; ASK gate ;; UPDATE ${update({ status: "completed" })}`,
		);
		const answered = Promise.withResolvers<void>();
		sink.answering = async ({ command }) => {
			if (command === "gate") await answered.promise;
			else await sink.until(({ updates }) => updates.some((one) => one.kind === "tool_call" && one.title === "rm -rf stuff"));
			answered.resolve();
			return { decision: "allow_once" };
		};
		await outcome;
		const last = sink.of("tool_call").findLast(({ toolCallId }) => toolCallId === "ask-ls");
		expect([last?.unpermitted, last?.swapped]).toEqual(["another", { allowed: "ls", reported: "rm -rf stuff" }]);
	});

	it("binds the hash to the whole input: another command is another question", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:ASK ls ;; ASK ls ;; ASK ls -a");
		const [first, again, other] = sink.questions.map(({ inputHash }) => inputHash);
		expect(again).toBe(first);
		expect(other).not.toBe(first);
	});

	it("shows what an agent proposes in content instead of an input, and binds the hash to that", async () => {
		await using bench = await AcpBench.open();
		const propose = (toolCallId: string, newText: string) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call", toolCallId, title: "Edit files", kind: "edit", content: [{ type: "diff", path: "/a.txt", newText }] })}`;
		const { sink } = await bench.run(
			`UNRULY:${propose("1", "one")} ;; ASK_BARE 1 Edit files ;; ${propose("2", "two")} ;; ASK_BARE 2 Edit files ;; ${propose("3", "one")} ;; ASK_BARE 3 Edit files`,
		);
		expect(sink.questions.map(({ input }) => input?.text)).toEqual(["/a.txt:\none", "/a.txt:\ntwo", "/a.txt:\none"]);
		const [one, two, again] = sink.questions.map(({ inputHash }) => inputHash);
		expect(two).not.toBe(one);
		expect(again).toBe(one);
	});

	it("shows what a proposed change replaces", async () => {
		await using bench = await AcpBench.open();
		const diff = { type: "diff", path: "a.txt", oldText: "1\nkeep", newText: "2\nkeep" };
		const update = { sessionUpdate: "tool_call", toolCallId: "1", title: "Edit", kind: "edit", content: [diff] };
		const { sink } = await bench.run(`UNRULY:UPDATE ${JSON.stringify(update)} ;; ASK_BARE 1 Edit`);
		expect(sink.questions.map(({ input }) => input?.text)).toEqual(["a.txt:\n- 1\n- keep\n+ 2\n+ keep"]);
	});

	it("never makes a call less serious than it was reported", async () => {
		await using bench = await AcpBench.open();
		const report = (toolCallId: string, title: string, kind: string) =>
			`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call", toolCallId, title, kind, rawInput: { command: "rm -rf build" } })}`;
		const again = `UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "1", title: "Read a file", kind: "read" })}`;
		const { sink } = await bench.run(`UNRULY:${report("1", "rm -rf build", "execute")} ;; ${again} ;; ASK_BARE 1 Read a file`);
		expect(sink.questions.map(({ title, toolKind }) => [title, toolKind])).toEqual([["Read a file", "execute"]]);
		expect(new Set(sink.of("tool_call").map(({ toolKind }) => toolKind))).toEqual(new Set(["execute"]));
	});

	it("about a call that shows nothing has a hash of its own each time", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:ASK_BARE 1 Do it ;; ASK_BARE 2 Do it");
		const hashes = sink.questions.map(({ inputHash }) => inputHash);
		expect(new Set(hashes).size).toBe(2);
	});

	it("answers several at once, each on its own", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.begin("UNRULY:ASK_MANY 3");
		sink.answering = async ({ title }) => ({ decision: title === "question 1" ? "deny" : "allow_once" });
		expect(await outcome).toEqual({ kind: "ended" });
		expect(sink.text).toBe("answers allow_once,reject_once,allow_once\n");
	});

	it("is answered cancelled, after session/cancel, when the turn is stopped", async () => {
		await using bench = await AcpBench.open();
		const { sink, stop, outcome } = await bench.begin("UNRULY:ASK_FOREVER");
		sink.answering = ({ title }) => (title === "question 3" ? new Promise(() => {}) : Promise.resolve({ decision: "allow_once" }));
		await sink.until(({ questions }) => questions.length === 3);
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(sink.questions).toHaveLength(3);
	});

	it("withdrawn by the run is answered cancelled once the stop is under way", async () => {
		await using bench = await AcpBench.open();
		const { sink, stop, outcome } = await bench.begin("UNRULY:ASK_FOREVER");
		sink.answering = async () => {
			setImmediate(() => stop.abort());
			return { decision: "withdrawn" };
		};
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(sink.questions).toHaveLength(1);
	});

	it("fails the turn loudly when the log cannot take the question", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.begin("UNRULY:ASK ls ;; SAY after");
		sink.answering = () => Promise.reject(new Error("the log is broken"));
		await expect(outcome).rejects.toThrow("the log is broken");
	});
});
