import { describe, expect, it } from "vitest";
import { AcpBench } from "./support/acp-bench.ts";
import { numberAfter, untilGone } from "./support/processes.ts";
import { unrulyDefinition } from "./support/unruly-definition.ts";

describe("an agent that fails", () => {
	it("by dying is PROVIDER_EXITED with its exit code and last words, without control sequences", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run("UNRULY:SAY half ;; STDERR \u001b[31mout of memory\u001b[0m ;; DIE 3");
		expect(sink.text).toBe("half");
		expect(outcome).toMatchObject({ kind: "failed", code: "PROVIDER_EXITED" });
		// Its only line is told once.
		expect(messageOf(outcome)).toBe("Unruly crashed: out of memory.\nIt exited with code 3 during session/prompt.");
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("by dying after several lines is told with the one that names the error, and with all of them", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:STDERR Error: out of memory ;; STDERR bye ;; DIE 3");
		const told = "Unruly crashed: Error: out of memory.\nIt exited with code 3 during session/prompt. Its last output:\n";
		expect(messageOf(outcome)).toBe(`${told}Error: out of memory\nbye`);
	});

	it("by a signal names the signal", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:DIE SIGKILL");
		expect(messageOf(outcome)).toContain("was terminated by SIGKILL");
	});

	it("by closing its connection is not said to have been terminated, though the bridge then ends it", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:STDERR Error: an old one ;; HANG_UP");
		expect(outcome).toMatchObject({ code: "PROVIDER_EXITED" });
		expect(messageOf(outcome)).toMatch(/^Unruly closed its connection during the run\./);
		await expect.poll(() => bench.logged).toHaveLength(1);
		expect(bench.logged[0]).toMatchObject({ message: "an agent ended unexpectedly", reason: "it closed its connection" });
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("in a later turn is not explained by what it wrote in an earlier one", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:STDERR Error: 429, trying again ;; SESSION");
		const { session } = sink;
		const { outcome } = await bench.run("UNRULY:DIE 3", session === undefined ? {} : { session });
		expect(messageOf(outcome)).toBe("Unruly exited with code 3 during the run.");
	});

	it("does not show the secrets of its environment", async () => {
		await using bench = await AcpBench.open({ unruly: { OPENAI_API_KEY: "sk-test-0123456789" } });
		const { outcome } = await bench.run("UNRULY:STDERR key sk-test-0123456789 rejected ;; DIE 1");
		expect(messageOf(outcome)).toContain("key [redacted] rejected");
		const answered = await bench.run("UNRULY:ERROR -32603 key sk-test-0123456789 rejected");
		expect(messageOf(answered.outcome)).toContain("key [redacted] rejected");
	});

	it("leaves no child behind when it dies", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:SPAWN_CHILD ;; DIE 0");
		await untilGone(numberAfter("child", sink.text));
	});

	it("starts anew for the next turn", async () => {
		await using bench = await AcpBench.open();
		await bench.run("UNRULY:DIE 1");
		expect((await bench.run("UNRULY:SAY again")).outcome).toEqual({ kind: "ended" });
	});

	it.each([
		["REFUSE", "REFUSED"],
		["MAX_TOKENS", "LIMIT_EXCEEDED"],
		["MAX_TURNS", "LIMIT_EXCEEDED"],
		["ERROR -32603 model overloaded", "PROVIDER_ERROR"],
		["ERROR -32000 please log in", "PROVIDER_AUTH_REQUIRED"],
		["ERROR -32000 Rate limit exceeded for this API key, try again in 60 s", "PROVIDER_ERROR"],
		["ERROR -32000 Server is overloaded", "PROVIDER_ERROR"],
	])("with %s is %s", async (directive, code) => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run(`UNRULY:SAY x ;; ${directive}`);
		expect(outcome).toMatchObject({ kind: "failed", code });
	});

	it("tells the agent's own words of an error, and serves the next turn", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run("UNRULY:SESSION ;; ERROR -32603 model \u001b[31moverloaded");
		expect(messageOf(outcome)).toBe("Unruly reported: model overloaded.\nsession/prompt was answered with error -32603: model overloaded");
		const { session } = sink;
		const again = await bench.run("UNRULY:SESSION", session === undefined ? {} : { session });
		expect(numberAfter("prompt", again.sink.text)).toBe(2);
	});

	it("that is not logged in says how to log in: its own way, or the catalogue's command", async () => {
		const env = { UNRULY_AUTH: "required" };
		await using bench = await AcpBench.open({ agents: [unrulyDefinition(env), unrulyDefinition(env, "codex")] });
		const own = await bench.run("UNRULY:SAY x");
		expect(own.outcome).toMatchObject({
			code: "PROVIDER_AUTH_REQUIRED",
			message:
				"Unruly isn't signed in. To sign in: Run `unruly login` in a terminal.\nsession/new was answered with error -32000: Authentication required",
		});
		const known = await bench.run("UNRULY:SAY x", {}, "codex");
		expect(messageOf(known.outcome)).toMatch(/isn't signed in\. Run `codex login` in a terminal, then try again\.\n/);
	});

	it("with an error of a server that has the code of a missing sign-in tells its words, and names the sign-in as a possibility", async () => {
		await using bench = await AcpBench.open({ unruly: { OPENAI_API_KEY: "sk-test-0123456789" } });
		const { outcome } = await bench.run("UNRULY:ERROR -32000 Rate limit exceeded for sk-test-0123456789");
		const words = "Rate limit exceeded for [redacted]";
		expect(messageOf(outcome)).toBe(
			`Unruly reported: ${words}.\nIt may not be signed in. To sign in: Run \`unruly login\` in a terminal.\nsession/prompt was answered with error -32000: ${words}`,
		);
	});

	it("by naming a variable that a sign-in gives it isn't signed in; by naming another one it has failed", async () => {
		const env = { UNRULY_AUTH: "none" };
		await using bench = await AcpBench.open({ agents: [unrulyDefinition(env, "goose"), unrulyDefinition(env)] });
		const prompt = "UNRULY:ERROR -32603 Configuration value not found: GOOSE_PROVIDER";
		expect((await bench.run(prompt, {}, "goose")).outcome).toMatchObject({ code: "PROVIDER_AUTH_REQUIRED" });
		expect((await bench.run("UNRULY:ERROR -32603 no GOOSE_PROVIDERS", {}, "goose")).outcome).toMatchObject({ code: "PROVIDER_ERROR" });
		// Nothing is known of how this one is signed in to.
		expect((await bench.run(prompt)).outcome).toMatchObject({ code: "PROVIDER_ERROR" });
	});

	it("isn't said to lack a sign-in if it offers none", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_AUTH: "none" } });
		const { outcome } = await bench.run("UNRULY:ERROR -32000 please log in");
		expect(outcome).toMatchObject({ code: "PROVIDER_ERROR" });
		expect(messageOf(outcome)).toBe("Unruly reported: please log in.\nsession/prompt was answered with error -32000: please log in");
	});

	it("at the handshake tells its last words", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_HANDSHAKE: "die" } });
		const { outcome } = await bench.run("UNRULY:SAY x");
		expect(outcome).toMatchObject({ code: "PROVIDER_EXITED" });
		expect(messageOf(outcome)).toBe("Unruly could not be started: unruly: no licence found.\nIt exited with code 7 during initialize.");
	});

	it("that never answers the handshake is ended when the bound passes", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_HANDSHAKE: "hang" }, bounds: { handshakeMs: 300 } });
		const { outcome } = await bench.run("UNRULY:SAY x");
		expect(outcome).toEqual({ kind: "failed", code: "PROVIDER_ERROR", message: "Unruly did not answer initialize within 0.3 s." });
		expect(bench.ledger.entries.size).toBe(0);
	});

	it("that cannot be started at all is an outcome, not a crash", async () => {
		await using bench = await AcpBench.open({ agents: [{ ...unrulyDefinition(), distribution: { command: { cmd: "/nowhere/agent" } } }] });
		const { outcome } = await bench.run("UNRULY:SAY x");
		expect(outcome).toMatchObject({ kind: "failed", code: "PROVIDER_ERROR" });
		expect(messageOf(outcome)).toContain("the command /nowhere/agent was not found");
	});
});

describe("garbage on stdout", () => {
	it("between messages does no harm", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.run("UNRULY:SAY a ;; GARBAGE 50 ;; SAY b");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text).toBe("ab");
	});

	it("is only counted where it was meant as a message", async () => {
		await using bench = await AcpBench.open();
		const unreadable = [{ sessionUpdate: "tool_call", title: "no id" }, { sessionUpdate: "agent_message_chunk" }];
		const sent = [...unreadable, { sessionUpdate: "of_a_later_protocol" }].map((update) => `UPDATE ${JSON.stringify(update)}`);
		const { sink, outcome } = await bench.run(`UNRULY:SAY a ;; GARBAGE 50 ;; ${sent.join(" ;; ")} ;; CALL session/request_permission`);
		expect(outcome).toEqual({ kind: "ended" });
		const notices = sink.of("notice").map(({ code, message }) => [code, message]);
		// Three lines of the garbage begin as a message does, and what was asked could not be read either.
		const words = "At least 6 messages from the agent couldn't be read, so something it said or did may be missing here.";
		expect(notices).toEqual([["MESSAGES_UNREADABLE", words]]);
		// The next turn begins to count anew.
		expect((await bench.run("UNRULY:SAY c")).sink.of("notice")).toEqual([]);
	});

	it("without end is bounded, and the agent ended", async () => {
		await using bench = await AcpBench.open({
			unruly: { UNRULY_HANDSHAKE: "garbage" },
			bounds: { garbageBytes: 100_000, handshakeMs: 20_000 },
		});
		const { outcome } = await bench.run("UNRULY:SAY x");
		expect(outcome).toMatchObject({ code: "PROVIDER_ERROR" });
		expect(messageOf(outcome)).toContain("of output that is not protocol messages");
		expect(messageOf(outcome)).toContain("Welcome to the unruly agent!");
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("as one line without end is bounded", async () => {
		await using bench = await AcpBench.open({ bounds: { lineBytes: 1_000_000 } });
		const { outcome } = await bench.run("UNRULY:HUGE_LINE 4000000");
		expect(outcome).toMatchObject({ code: "PROVIDER_ERROR" });
		expect(messageOf(outcome)).toContain("a line of more than 1 MB");
	});
});

describe("the log of the bridge", () => {
	const ended = "an agent ended unexpectedly";

	it("says of an agent that died whose run it was, and its exit code or signal, and nothing that it said", async () => {
		await using bench = await AcpBench.open();
		await bench.run("UNRULY:SAY secret words ;; STDERR out of memory ;; GARBAGE 3 ;; DIE 3");
		await expect.poll(() => bench.logged).toHaveLength(1);
		expect(bench.logged[0]).toEqual({
			...{ message: ended, agent: "unruly", runId: "run-1", exitCode: 3, signal: null },
			...{ garbageLines: expect.any(Number), garbageBytes: expect.any(Number) },
		});
		await bench.run("UNRULY:DIE SIGKILL");
		await expect.poll(() => bench.logged).toHaveLength(2);
		expect(bench.logged[1]).toEqual({ message: ended, agent: "unruly", runId: "run-2", exitCode: null, signal: "SIGKILL" });
	});

	it("says how much of a run's output was no message, once, and not what it was", async () => {
		await using bench = await AcpBench.open();
		await bench.run("UNRULY:GARBAGE 50 ;; SAY b ;; GARBAGE 50");
		const [line] = bench.logged;
		expect(line).toEqual({
			...{ message: "an agent wrote lines that are not messages of its protocol", agent: "unruly", runId: "run-1" },
			...{ garbageLines: expect.any(Number), garbageBytes: expect.any(Number) },
		});
		expect(line).toMatchObject({
			garbageLines: expect.toSatisfy((lines: number) => lines >= 2),
			garbageBytes: expect.toSatisfy((bytes: number) => bytes >= 100),
		});
		expect(bench.logged).toHaveLength(1);
		await bench.run("UNRULY:SAY c");
		expect(bench.logged).toHaveLength(1);
	});

	it("says that a request was answered twice, and does not call the second answer no message", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:SAY once ;; ANSWER_TWICE");
		expect(outcome).toMatchObject({ kind: "ended" });
		await expect.poll(() => bench.logged).toHaveLength(1);
		expect(bench.logged[0]).toEqual({
			...{ message: "an agent answered a request twice; the second answer was ignored", agent: "unruly", runId: "run-1", answers: 1 },
		});
	});

	it("says of what an agent reports after the end that it is not part of the answer: the first text and the first tool call", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:SAY in time ;; AFTER_END 30");
		await expect.poll(() => bench.logged).toHaveLength(2);
		const late = {
			message: "an agent's update arrived after the end of its run, and is not part of the answer",
			agent: "unruly",
			runId: "run-1",
		};
		expect(bench.logged).toEqual([
			{ ...late, what: "tool_call" },
			{ ...late, what: "text" },
		]);
		expect(JSON.stringify([sink, bench.logged])).not.toContain("too late");
		// A later turn has its own.
		await bench.run("UNRULY:SAY again");
		expect(bench.logged).toHaveLength(2);
	});

	it("is not the only place that says that the agent reported something after the end: the next run does too, once", async () => {
		await using bench = await AcpBench.open();
		const { sink: first } = await bench.run("UNRULY:SAY in time ;; AFTER_END 30");
		await expect.poll(() => bench.logged).toHaveLength(2);
		const next = async () => {
			const { sink } = await bench.run("UNRULY:SAY again", first.session === undefined ? {} : { session: first.session });
			return sink.of("notice").map(({ code, message }) => [code, message]);
		};
		const words =
			"After the previous run had ended, the agent still sent text and tool calls. This is not shown, so it may have done more than that run says.";
		expect([await next(), await next()]).toEqual([[["LATE_ACTIVITY", words]], []]);
	});

	it("says which bound an agent broke, and nothing of one that the bridge itself ended", async () => {
		const bench = await AcpBench.open({ bounds: { lineBytes: 1_000_000 } });
		await bench.run("UNRULY:HUGE_LINE 4000000");
		await expect.poll(() => bench.logged).toHaveLength(1);
		expect(bench.logged[0]).toMatchObject({ message: ended, runId: "run-1", reason: expect.stringContaining("a line of more than") });
		await bench.run("UNRULY:SAY hello");
		await bench[Symbol.asyncDispose]();
		expect(bench.logged).toHaveLength(1);
	});
});

function messageOf(outcome: object): string {
	return "message" in outcome ? String(outcome.message) : "";
}
