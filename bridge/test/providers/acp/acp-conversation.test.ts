import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SessionId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { AcpBench } from "./support/acp-bench.ts";
import type { MemorySink } from "./support/memory-sink.ts";
import { isAlive, numberAfter, untilGone } from "./support/processes.ts";

describe("the conversation of a thread", () => {
	it("goes on in the same process, and is saved before anything is said in it", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.run("UNRULY:SESSION");
		expect(first.sink.session).toEqual({ providerSessionId: expect.stringMatching(/^unruly-/), workingDirectory: bench.workspace });
		const second = await bench.run("UNRULY:SESSION", withSession(first.sink));
		expect(numberAfter("prompt", second.sink.text)).toBe(2);
		expect(second.sink.sessions).toEqual([]);
	});

	it("begins anew, in a new process, when the turn brings none", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.run("UNRULY:SESSION");
		const second = await bench.run("UNRULY:SESSION");
		expect(numberAfter("prompt", second.sink.text)).toBe(1);
		expect(await isAlive(numberAfter("pid", first.sink.text))).toBe(false);
		expect(second.sink.of("notice")).toEqual([]);
	});

	it.each([
		["session/load", {}],
		["session/resume", { UNRULY_RESUME: "1" }],
	])("survives the agent's process by %s, without telling it again", async (_method, env) => {
		await using bench = await openWithState(env);
		const first = await bench.run("UNRULY:SAY one ;; SESSION");
		await bench.provider().releaseSession(SessionId.parse("thread-1"));
		const second = await bench.run("UNRULY:SAY two ;; SESSION", withSession(first.sink));
		expect(second.outcome).toEqual({ kind: "ended" });
		expect(second.sink.text).toMatch(/^twosession/);
		expect(numberAfter("prompt", second.sink.text)).toBe(2);
		expect(second.sink.of("notice")).toEqual([]);
		expect(bench.provider().features.resume).toBe(true);
	});

	it("tells nothing of its history that can't be read, since no run lacks it", async () => {
		await using bench = await openWithState({ UNRULY_LOAD: "unreadable" });
		const first = await bench.run("UNRULY:SAY one");
		await bench.provider().releaseSession(SessionId.parse("thread-1"));
		const second = await bench.run("UNRULY:SAY two", withSession(first.sink));
		expect(second.sink.text).toBe("two");
		expect(second.sink.of("notice")).toEqual([]);
	});

	it("says so when it cannot be continued: not offered, refused, or another directory", async () => {
		const elsewhere = async (bench: AcpBench) => {
			const workingDirectory = join(bench.root, "elsewhere");
			await mkdir(workingDirectory);
			return { workingDirectory };
		};
		const nothing = async () => ({});
		for (const [open, options] of [
			[() => AcpBench.open(), nothing],
			[() => openWithState({ UNRULY_LOAD: "fail" }), nothing],
			[() => openWithState({}), elsewhere],
		] as const) {
			await using bench = await open();
			const first = await bench.run("UNRULY:SESSION");
			await bench.provider().releaseSession(SessionId.parse("thread-1"));
			const second = await bench.run("UNRULY:SESSION", { ...withSession(first.sink), ...(await options(bench)) });
			expect(numberAfter("prompt", second.sink.text)).toBe(1);
			expect(second.sink.of("notice").map(({ code }) => code)).toEqual(["CONVERSATION_RESTARTED"]);
			expect(second.sink.session?.providerSessionId).not.toBe(first.sink.session?.providerSessionId);
		}
	});

	it("of one thread is not another's", async () => {
		await using bench = await AcpBench.open();
		const [one, two] = await Promise.all([
			bench.run("UNRULY:SESSION ;; SAY one", { sessionId: "a" }),
			bench.run("UNRULY:SESSION ;; SAY two", { sessionId: "b" }),
		]);
		expect(numberAfter("pid", one.sink.text)).not.toBe(numberAfter("pid", two.sink.text));
		expect([one.sink.messages.at(-1)?.endsWith("one"), two.sink.messages.at(-1)?.endsWith("two")]).toEqual([true, true]);
	});
});

describe("the model of a turn", () => {
	it("is selected by value or name; without one the conversation's own is taken again", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_MODELS: "small,large" } });
		const first = await bench.run("UNRULY:MODEL", { model: "Model large" });
		expect(first.sink.text).toBe("model large\n");
		expect(await bench.provider().availability()).toEqual({ available: true, models: ["small", "large"] });
		const second = await bench.run("UNRULY:MODEL", withSession(first.sink));
		expect(second.sink.text).toBe("model small\n");
	});

	it("can be chosen in a conversation that is continued, though the agent names them only for a new one", async () => {
		await using bench = await openWithState({ UNRULY_MODELS: "small,large", UNRULY_MODELS_OF: "new" });
		const first = await bench.run("UNRULY:MODEL", { model: "large" });
		await bench.provider().releaseSession(SessionId.parse("thread-1"));
		const second = await bench.run("UNRULY:MODEL", { ...withSession(first.sink), model: "large" });
		expect(second.sink.text).toBe("model large\n");
		expect(await bench.provider().availability()).toEqual({ available: true, models: ["small", "large"] });
		const third = await bench.run("UNRULY:MODEL", withSession(first.sink));
		expect(third.sink.text).toBe("model small\n");
	});

	it("can't be chosen if the agent has not named any", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:SAY x", { model: "large" });
		const message =
			"Unruly did not say which models this conversation can use, so large can't be chosen. Send the message again without a model.";
		expect(outcome).toEqual({ kind: "failed", code: "PROVIDER_ERROR", message, isRequest: true });
	});

	it("that the agent does not offer is refused with the first of many that it does, and how many more there are", async () => {
		const models = Array.from({ length: 14 }, (_, index) => `m${index}`);
		await using bench = await AcpBench.open({ unruly: { UNRULY_MODELS: models.join(",") } });
		const { outcome } = await bench.run("UNRULY:SAY x", { model: "huge" });
		expect(outcome).toMatchObject({ message: expect.stringMatching(/It offers: m0, .*, m11 and 2 more\.$/) });
	});

	it("that the agent accepts but does not use is refused, with the one that it says it uses", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_MODELS: "small,large", UNRULY_MODELS_STAY: "1" } });
		const { outcome, sink } = await bench.run("UNRULY:SAY x", { model: "large" });
		const message =
			"Unruly did not switch to the model large: it says that it uses small. The message was not sent to it. Choose small, or send the message again without a model.";
		expect(outcome).toEqual({ kind: "failed", code: "PROVIDER_ERROR", message, isRequest: true });
		expect(sink.text).toBe("");
	});

	it("that the agent does not offer is refused, never replaced", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_MODELS: "small,large" } });
		const { outcome, sink } = await bench.run("UNRULY:SAY x", { model: "huge" });
		expect(outcome).toEqual({
			kind: "failed",
			code: "PROVIDER_ERROR",
			message: "Unruly does not offer the model huge. It offers: small, large.",
			isRequest: true,
		});
		expect(sink.text).toBe("");
	});
});

describe("agents without a turn", () => {
	it("are ended after their time, and leave the ledger", async () => {
		await using bench = await AcpBench.open({ bounds: { idleMs: 100 } });
		const { sink } = await bench.run("UNRULY:SESSION");
		await untilGone(numberAfter("pid", sink.text));
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("are bounded in number: the longest idle one ends", async () => {
		await using bench = await AcpBench.open({ bounds: { maxIdle: 1 } });
		const one = await bench.run("UNRULY:SESSION", { sessionId: "a" });
		const two = await bench.run("UNRULY:SESSION", { sessionId: "b" });
		await untilGone(numberAfter("pid", one.sink.text));
		expect(await isAlive(numberAfter("pid", two.sink.text))).toBe(true);
	});

	it("are ended by releaseSession and by close, even stubborn ones", async () => {
		await using bench = await AcpBench.open();
		const one = await bench.run("UNRULY:STUBBORN ;; SPAWN_CHILD ;; SESSION", { sessionId: "a" });
		await bench.provider().releaseSession(SessionId.parse("a"));
		for (const word of ["pid", "child"]) expect(await isAlive(numberAfter(word, one.sink.text))).toBe(false);
		const two = await bench.run("UNRULY:SESSION", { sessionId: "b" });
		const three = await bench.begin("UNRULY:SESSION ;; IGNORE_CANCEL ;; HANG", { sessionId: "c" });
		await three.sink.until(({ text }) => text.includes("pid"));
		await bench.provider().close();
		for (const { sink } of [two, three]) expect(await isAlive(numberAfter("pid", sink.text))).toBe(false);
		expect(await three.outcome).toEqual({ kind: "cancelled", remote: false });
		expect(bench.ledger.entries.size).toBe(0);
	});
});

function withSession({ session }: MemorySink) {
	return session === undefined ? {} : { session };
}

async function openWithState(env: Readonly<Record<string, string>>): Promise<AcpBench> {
	// The working directory is new for each test, so its conversations are too.
	return AcpBench.open({ unruly: { UNRULY_STATE: "conversations.json", ...env } });
}
