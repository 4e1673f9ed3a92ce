import { describe, expect, it } from "vitest";
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
				options: ["allow_once", "allow_window", "deny"],
				command: "rm -rf build",
			},
		]);
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

	it("shows the call before the question, and as denied after a no whatever the agent says then", async () => {
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
		expect(sink.of("tool_call").map(({ state }) => state)).toEqual(["pending", "denied"]);
	});

	it("binds the hash to the whole input: another command is another question", async () => {
		await using bench = await AcpBench.open();
		const { sink } = await bench.run("UNRULY:ASK ls ;; ASK ls ;; ASK ls -a");
		const [first, again, other] = sink.questions.map(({ inputHash }) => inputHash);
		expect(again).toBe(first);
		expect(other).not.toBe(first);
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
