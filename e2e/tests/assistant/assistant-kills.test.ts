import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { settleAgain } from "../../support/bridge/settle.ts";
import { letGo, worldEffects, writeWorldTools } from "../../support/bridge/world-tools.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { receiptsOf, verifyReceipts } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

const BOUND_MS = 30_000;
const made = `TOOL execute ${JSON.stringify({ program: "await tools.world.make({ n: 1 }); return 1" })}`;

let model: FakeModel;
let home: TemporaryHome;
let bridge: BridgeProcess;
beforeAll(async () => {
	model = await startFakeModel();
	home = await temporaryHome();
	await writeWorldTools(home);
	const account = { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url, XWORKMATE_ANTHROPIC_MODEL: "claude-fake" };
	bridge = await startBridge({ home, env: { ...account, XWORKMATE_TOOLS_ACCEPT: "auto", XWORKMATE_PARK_MS: "50" } });
	await bridge.client().rpc("xworkmate.tools.reload");
});
afterEach(async () => {
	expect(await verifyReceipts(bridge.client())).toMatchObject({ ok: true, problems: [] });
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

async function submit(steps: string): Promise<string> {
	const params = turn({ prompt: `Do it.\nFAKE:${steps}`, providerId: "assistant" });
	return TaskSnapshot.parse(await bridge.client().rpc("session.start", params)).runId;
}

/** How often the model was asked for this since there were `before` requests. */
async function asked(act: string, before: number): Promise<number> {
	return (await model.requests()).slice(before).filter((request) => request.act === act).length;
}

async function requested(): Promise<number> {
	return (await model.requests()).length;
}

async function effects(runId: string) {
	return (await worldEffects(home)).filter((effect) => effect.runId === runId);
}

async function makes(runId: string): Promise<number> {
	return (await effects(runId)).filter(({ tool }) => tool === "make").length;
}

/** The end of the run, all of whose updates agree with what its snapshot says, and which was checked once. */
async function end(runId: string): Promise<TaskSnapshot> {
	const { snapshot } = await settleAgain(bridge.client(), runId);
	const receipts = await receiptsOf(bridge.client(), runId);
	expect(receipts.filter(({ type }) => type === "answer.checked")).toHaveLength(1);
	return snapshot;
}

describe("kill -9 of the bridge while the assistant", { timeout: 60_000 }, () => {
	it("[T1-93] is asked: it is asked again, half a reply counts for nothing, and nothing is done twice", async () => {
		const before = await requested();
		const runId = await submit(`${made} ;; PACE 50 20 150`);
		const stream = await bridge.client().stream("xworkmate.tasks.subscribe", { runId, afterSeq: 0 });
		await stream.until("half a reply", ({ update }) => update.kind === "thought_delta" && String(update.text).includes("word"), BOUND_MS);
		expect(await bridge.client().snapshot({ runId })).toMatchObject({ status: "running" });
		expect((await bridge.client().snapshot({ runId })).output).toBeUndefined();
		await bridge.restart("SIGKILL");
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded" } });
		const words = Array.from({ length: 150 }, (_, index) => `word ${index + 1} `);
		expect(snapshot.output?.text).toBe(words.join(""));
		expect([await asked("tool", before), await asked("paced", before)]).toEqual([1, 2]);
		expect(await makes(runId)).toBe(1);
	});

	it("[T1-93] answers: the recorded reply is shown once and whole, and the model is not asked again", async () => {
		const before = await requested();
		const runId = await submit(`${made} ;; BIG 600000`);
		const stream = await bridge.client().stream("xworkmate.tasks.subscribe", { runId, afterSeq: 0 });
		await stream.until("a part of the answer", ({ update }) => update.kind === "message_delta", BOUND_MS);
		await bridge.restart("SIGKILL");
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded" }, output: { totalBytes: 600_000 } });
		expect([await asked("tool", before), await asked("text", before)]).toEqual([1, 1]);
		expect(await makes(runId)).toBe(1);
	});

	it("[T1-93] is replayed, twice: what it had done stands, its files are made again, and it answers by the receipt", async () => {
		const program =
			'await tools.files.write({ path: "list.txt", text: "one" }); await tools.world.make({ n: 1 }); await tools.world.look({ n: 2, hold: true }); return 1';
		const steps = [`TOOL execute ${JSON.stringify({ program })}`, 'ANSWER [{"text":"It is "},{"receiptId":"$receipt(1)"},{"text":"."}]'];
		const before = await requested();
		const runId = await submit(steps.join(" ;; "));
		const looked = (times: number) =>
			waitUntil(`look ${times}`, BOUND_MS, async () => ((await effects(runId)).length > times ? true : undefined));
		await looked(1);
		await bridge.restart("SIGKILL");
		await looked(2);
		await bridge.kill("SIGKILL");
		await letGo(home);
		await bridge.start();
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded" }, activity: { completed: 1 } });
		expect(snapshot.output?.text).toBe("It is make 1.");
		expect(snapshot.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["list.txt"]);
		expect(await makes(runId)).toBe(1);
		expect(await asked("tool", before)).toBe(2);
	});
});
