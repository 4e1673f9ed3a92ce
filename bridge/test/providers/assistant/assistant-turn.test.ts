import { describe, expect, it, vi } from "vitest";
import { done } from "../../programs/counting-hosts.ts";
import { AssistantScene } from "./assistant-scene.ts";
import { answers, nothing, receiptsIn, runs, says, toldIn, wants } from "./scripted-model.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const MAKE = "const r = await tools.world.make({ id: 7 }); return r.ok ? 'made' : r.error.code";

describe("a turn of the assistant", () => {
	it("[T1-38] answers with the action in the bridge's words, and its receipt", async () => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set("make", "allow");
		scene.model.will(runs(MAKE), (request) => answers({ text: "Here it is: " }, { receiptId: receiptsIn(request).at(-1) ?? "" }));
		const ended = await scene.turn();
		expect([ended.status, ended.message]).toEqual(["completed", undefined]);
		expect(ended.output.text).toBe("Here it is: make the thing");
		expect(ended).toMatchObject({
			grounding: { state: "grounded", problems: [] },
			answer: { segments: [{ text: "Here it is: " }, { words: "make the thing", receiptId: expect.stringContaining(ended.runId) }] },
		});
		const last = (await scene.receipts(ended.runId)).at(-1);
		expect(last).toMatchObject({ type: "answer.checked", detail: { state: "grounded", references: 1 } });
	});

	it("[T1-29] tells the model what a program returned, printed and did", async () => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set("make", "allow");
		scene.model.will(runs(`console.log('a line'); ${MAKE}`), answers({ text: "ok" }));
		const ended = await scene.turn();
		const told = toldIn(scene.model.requests[1] as never);
		expect(told).toContain("Returned:\nmade");
		expect(told).toContain("Console:\na line");
		expect(told).toMatch(new RegExp(`world\\.thing\\.make “make the thing”, .*${ended.runId}\\.\\d+`));
	});

	it("counts the tokens of all requests, and nothing that is no count", async () => {
		await using scene = await AssistantScene.open();
		const usage = (inputTokens: number) => ({ ...wants("find_tools", { query: "x" }), usage: { inputTokens, outputTokens: 1 } });
		scene.model.will(usage(5), usage(Number.NaN), usage(-7), usage(1e300), answers({ text: "ok" }));
		const ended = await scene.turn();
		const shown = (await scene.updates(ended.runId)).flatMap((update) =>
			update.kind === "usage" ? [[update.inputTokens, update.outputTokens]] : [],
		);
		expect(shown).toEqual([
			[5, 1],
			[5, 2],
			[5, 3],
			[5, 4],
			[15, 9],
		]);
	});

	it("[T1-37] what it says between is a thought, and no part of the output", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(
			{
				parts: [
					{ kind: "text", text: "Let me look." },
					{ kind: "call", callId: "a", tool: "execute", input: { program: "return 1" } },
				],
				stop: "calls",
				usage: {},
			},
			answers({ text: "It is one." }),
		);
		const ended = await scene.turn();
		expect(ended.output.text).toBe("It is one.");
		expect(await scene.thoughts(ended.runId)).toContain("Let me look.");
		expect(ended).toMatchObject({ grounding: { state: "no_action" } });
	});

	it("an answer in plain text is checked like any other", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("Hello."));
		expect(await scene.turn()).toMatchObject({
			status: "completed",
			output: { text: "Hello." },
			grounding: { state: "no_action" },
			answer: { segments: [{ text: "Hello." }] },
		});
	});

	it("[T1-96] a claim without an action is refused once with what is wrong, then replaced by the bridge's words", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(answers({ text: "I have scheduled the reminder." }), says("I have scheduled the reminder."));
		const ended = await scene.turn();
		expect(toldIn(scene.model.requests[1] as never)).toContain("I have scheduled the reminder.");
		expect(toldIn(scene.model.requests[1] as never)).toContain("0 actions completed.");
		expect(ended).toMatchObject({ status: "completed", grounding: { state: "replaced", problems: [{ code: "CLAIM_WITHOUT_ACTION" }] } });
		expect(ended.output.text).toContain("Couldn't verify");
		expect(ended.output.text).not.toContain("scheduled");
		expect(await scene.thoughts(ended.runId)).toContain("I have scheduled the reminder.");
	});

	it("an answer that is put right after the refusal counts", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("I have created it."), answers({ text: "I could not do that." }));
		expect(await scene.turn()).toMatchObject({ output: { text: "I could not do that." }, grounding: { state: "no_action", problems: [] } });
	});

	it.each([
		["of another run", () => "run-other.4"],
		["of a call that failed", (ids: readonly string[]) => ids.at(-1) ?? ""],
	])("[T1-95] a receipt %s is refused, and the second time replaced", async (_which, pick) => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set("make", "allow");
		scene.hosts.handle = async () => ({ kind: "failed", code: "TOOL_FAILED", message: "no" });
		let cited = "";
		scene.model.will(
			runs(MAKE),
			(request) => {
				cited = pick(receiptsIn(request));
				return answers({ receiptId: cited });
			},
			() => answers({ receiptId: cited }),
		);
		const ended = await scene.turn();
		expect(ended.grounding).toMatchObject({ state: "replaced", problems: [{ code: expect.stringMatching(/RECEIPT/) }] });
		expect(ended.output.text).toContain("Not done:");
	});

	it("a model that says nothing is asked once more, then the bridge answers", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(nothing, nothing);
		expect(await scene.turn()).toMatchObject({ status: "completed", grounding: { state: "replaced", problems: [{ code: "NO_ANSWER" }] } });
		expect(scene.model.requests).toHaveLength(2);
	});

	it("a model that says nothing after its answer was refused is said to have given one that couldn't be verified", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(says("I have scheduled the reminder."), nothing);
		const ended = await scene.turn();
		expect(ended).toMatchObject({ grounding: { state: "replaced", problems: [{ code: "CLAIM_WITHOUT_ACTION" }] } });
		expect(ended.output.text).toContain("Couldn't verify what the assistant wanted to say");
		expect(await scene.thoughts(ended.runId)).not.toContain("(no answer)");
	});

	it("an unknown tool, an input of another shape and one that is no JSON are told to the model", async () => {
		await using scene = await AssistantScene.open();
		const told: string[] = [];
		const noting = (reply: ReturnType<typeof wants>) => (request: Parameters<typeof toldIn>[0]) => {
			told.push(toldIn(request));
			return reply;
		};
		scene.model.will(
			wants("shell", { command: "rm -rf /" }),
			noting(wants("execute", { program: 7 })),
			noting(wants("answer", "{", { unreadable: true })),
			noting(wants("__proto__", {})),
			noting(answers({ text: "I give up." })),
		);
		expect(await scene.turn()).toMatchObject({ status: "completed", output: { text: "I give up." } });
		expect(told[0]).toContain('There is no tool "shell"');
		expect(told[1]).toContain("The input of execute is not as declared: program");
		expect(told[2]).toContain("not JSON");
		expect(told[3]).toContain("There is no tool");
	});

	it("[T1-09] a program with type errors is not run, and the model gets line and column", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(runs("const a = 1;\nawait tools.world.nope({})\nprocess.exit()"), answers({ text: "It does not work." }));
		await scene.turn();
		const told = toldIn(scene.model.requests[1] as never);
		expect(told).toMatch(/line 2, column 19: .*nope/);
		expect(told).toMatch(/line 3, column 1: /);
		expect(scene.hosts.calls).toEqual([]);
	});

	it("an answer beside other calls does not count", async () => {
		await using scene = await AssistantScene.open();
		const both = [...runs("return 1").parts, ...answers({ text: "too early" }).parts];
		scene.model.will({ parts: both, stop: "calls", usage: {} }, answers({ text: "now" }));
		expect((await scene.turn()).output.text).toBe("now");
		expect(toldIn(scene.model.requests[1] as never)).toContain("Call `answer` again, on its own.");
	});

	it("calls of several programs are numbered on, and the files of all of them are delivered", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(
			runs("await tools.files.write({ path: 'a.txt', text: 'a' }); return (await tools.world.look({})).ok"),
			runs("await tools.files.write({ path: 'b.txt', text: 'b' }); return (await tools.world.look({})).ok"),
			answers({ text: "two files" }),
		);
		const ended = await scene.turn();
		expect(ended.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["a.txt", "b.txt"]);
		expect(new Set((await scene.receipts(ended.runId)).flatMap(({ toolCallId }) => toolCallId ?? []))).toEqual(
			new Set(["call-2", "call-4"]),
		);
	});

	it("finds and describes tools", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(
			wants("find_tools", { query: "destroy things" }),
			wants("describe_tools", { toolIds: ["world.thing.make", "no.such.tool"] }),
			answers({ text: "ok" }),
		);
		await scene.turn();
		expect(scene.model.requests[0]?.instructions).toContain("tools.world.make (world.thing.make, write)");
		expect(toldIn(scene.model.requests[1] as never)).toContain("tools.world.destroy (world.thing.destroy, destructive)");
		expect(toldIn(scene.model.requests[2] as never)).toMatch(
			/tools\.world\.make\(input: .*\): Promise<ToolResult<any>>;\nThere is no tool "no\.such\.tool"/,
		);
	});

	it("begins with the thread's earlier turns, without those that wait behind it", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(answers({ text: "Blue." }), answers({ text: "You asked for a colour." }));
		await scene.turn("Which colour?", "t1");
		await scene.core.settled(await scene.follow("What did I ask?", "t2"));
		expect(scene.model.requests[1]?.messages).toEqual([
			{ role: "user", text: "Which colour?" },
			{ role: "assistant", parts: [{ kind: "text", text: "Blue." }] },
			{ role: "user", text: expect.stringContaining("What did I ask?") },
		]);
	});
});

describe("bounds", () => {
	it.each([
		["requests", { requests: 3 }, () => runs("return 1")],
		["programs", { programs: 2 }, () => runs("return 1")],
		["outputTokens", {}, () => ({ ...says("half a"), stop: "length" as const })],
	])("%s: the turn ends as LIMIT_EXCEEDED, and the message names it", async (name, limits, play) => {
		await using scene = await AssistantScene.open({ limits });
		scene.model.will(play, play, play, play);
		const ended = await scene.turn();
		expect(ended).toMatchObject({ status: "failed", code: "LIMIT_EXCEEDED", message: expect.stringContaining(`(${name})`) });
	});

	it("what the model is told of one call is cut, and its activity is not", async () => {
		await using scene = await AssistantScene.open({ limits: { resultBytes: 8 * 1024 } });
		scene.model.will(
			runs("await tools.world.destroy({}); console.log('y'.repeat(100_000)); return 'x'.repeat(900_000)"),
			answers({ text: "long" }),
		);
		const runId = await scene.run();
		await scene.decide(runId, "deny");
		await scene.core.settled(runId);
		const told = toldIn(scene.model.requests[1] as never);
		expect(Buffer.byteLength(told)).toBeLessThanOrEqual(8 * 1024);
		expect(told).toContain("[cut: there is more than is shown here]");
		expect(told).toContain("Not done, because it was denied:");
	});
});

describe("cancelled", () => {
	it("while the model is asked: the request is ended, and the run is cancelled", async () => {
		await using scene = await AssistantScene.open();
		const { promise: begun, resolve } = Promise.withResolvers<void>();
		scene.model.will((_request, _onText, signal) => {
			resolve();
			return new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
		});
		const runId = await scene.run();
		await begun;
		await scene.core.service.cancel(runId);
		expect(await scene.core.settled(runId)).toMatchObject({ status: "cancelled" });
	});

	it("a call that a program left open is withdrawn when the program ends, not when the run does", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(runs("void tools.world.destroy({ id: 1 }); await tools.world.look({}); return 'gone on'"), async (request) => {
			const [runId] = /run-[a-z0-9]+/.exec(toldIn(request)) ?? [""];
			const snapshot = await scene.core.service.snapshot(runId as never);
			return answers({ text: `waiting: ${snapshot.pendingApprovals.length}` });
		});
		const ended = await scene.turn();
		expect(ended.output.text).toBe("waiting: 0");
		expect(ended.activity).toMatchObject({ items: [{ status: "denied", code: "withdrawn" }] });
		expect(scene.hosts.calls.map(({ method }) => method)).toEqual(["look"]);
	});

	it("a call that succeeded is not hidden by one that was denied", async () => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set("make", "allow");
		scene.hosts.handle = async () => done({ ok: 1 });
		scene.model.will(runs("await tools.world.make({}); await tools.world.destroy({}); return 1"), (request) =>
			answers({ receiptId: receiptsIn(request)[0] ?? "" }, { text: "The other one was denied." }),
		);
		const runId = await scene.run();
		await scene.decide(runId, "deny", "call-2");
		const ended = await scene.core.settled(runId);
		expect(ended).toMatchObject({ output: { text: "make the thing The other one was denied." }, grounding: { state: "grounded" } });
	});
});
