import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { approvals, decide } from "../../support/app/approvals.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { worldEffects, writeWorldTools } from "../../support/bridge/world-tools.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { trailOf, verifyReceipts } from "../../support/wire/receipts.ts";
import { refused } from "../../support/wire/refused.ts";
import { type TurnParams, turn } from "../../support/wire/turn.ts";
import { type ApprovalRecord, isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const BOUND_MS = 30_000;
const ZEROS = "0".repeat(64);
const Listed = z.looseObject({
	integrations: z.array(z.looseObject({ integration: z.string(), toolHash: z.string(), state: z.string() })),
});

let bridge: BridgeProcess;
beforeAll(async () => {
	bridge = await startBridge({ env: { XWORKMATE_PARK_MS: "50" } });
	await writeWorldTools(bridge.home);
	await rpc("tools.reload");
	await accept();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const rpc = (method: string, params: unknown = {}) => bridge.client().rpc(`xworkmate.${method}`, params);

async function world() {
	const found = Listed.parse(await rpc("tools.list")).integrations.find(({ integration }) => integration === "world");
	if (found === undefined) throw new Error("there is no integration world");
	return found;
}

async function accept(): Promise<void> {
	await rpc("tools.accept", { integration: "world", toolHash: (await world()).toolHash });
}

/** Makes it another version, which nobody has accepted. */
async function changeCode(): Promise<void> {
	await appendFile(join(bridge.home.xworkmate, "tools", "world", "tools.ts"), `// ${randomUUID()}\n`);
	expect(Listed.parse(await rpc("tools.reload")).integrations).toMatchObject([{ state: "unaccepted" }]);
}

/** A turn of the provider `script` with rules of its own. */
function ruled(prompt: string, assistant: Record<string, unknown>, threadId?: string): TurnParams {
	const params = turn({ prompt, providerId: "script", ...(threadId === undefined ? {} : { threadId }) });
	return { ...params, metadata: { ...(params.metadata as object), xworkmateAssistant: assistant } };
}

async function submit(params: TurnParams): Promise<string> {
	return TaskSnapshot.parse(await bridge.client().rpc("session.start", params)).runId;
}

const make = (tool: string, n = 1) => `const r = await tools.world.${tool}({ n: ${n} }); return r.ok ? "done" : r.error.code;`;

function asked(runId: string): Promise<ApprovalRecord> {
	return waitUntil(`the request of ${runId}`, BOUND_MS, async () => (await approvals(bridge.client(), { runId, state: "pending" }))[0]);
}

async function ask(threadId?: string): Promise<{ readonly runId: string; readonly approvalId: string }> {
	const runId = await submit(turn({ prompt: make("destroy"), providerId: "script", ...(threadId === undefined ? {} : { threadId }) }));
	return { runId, approvalId: (await asked(runId)).approvalId };
}

async function endOf(runId: string): Promise<string> {
	const { status, code, output } = await waitUntil(`the end of ${runId}`, BOUND_MS, async () => {
		const snapshot = await bridge.client().snapshot({ runId });
		return isOver(snapshot.status) ? snapshot : undefined;
	});
	return [status, code, output?.text].filter((part) => part !== undefined).join(" ");
}

async function effectsOf(runId: string): Promise<number> {
	return (await worldEffects(bridge.home)).filter((effect) => effect.runId === runId).length;
}

describe("a client that", () => {
	it("decides twice gets the first decision, and there is one effect", async () => {
		const { runId, approvalId } = await ask();
		expect(await decide(bridge.client(), approvalId, "allow_once")).toMatchObject({ applied: true });
		expect(await decide(bridge.client(), approvalId, "deny")).toMatchObject({ applied: false, record: { decision: "allow_once" } });
		expect(await endOf(runId)).toBe("completed done");
		expect(await decide(bridge.client(), approvalId, "allow_once")).toMatchObject({ applied: false });
		expect(await effectsOf(runId)).toBe(1);
	});

	it("decides twenty times at once is heard once", async () => {
		const { runId, approvalId } = await ask();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, index) => decide(bridge.client(), approvalId, index % 2 === 0 ? "deny" : "allow_once")),
		);
		expect(answers.filter(({ applied }) => applied)).toHaveLength(1);
		const decision = answers[0]?.record.decision;
		expect(await endOf(runId)).toBe(decision === "deny" ? "completed DENIED" : "completed done");
		expect(await effectsOf(runId)).toBe(decision === "deny" ? 0 : 1);
	});

	it.each([
		["decides what was never asked", { approvalId: "apr-aaaaaaaaaaaaaaaa", decision: "allow_once" }],
		["decides in a word that is none", { decision: "allow_always" }],
		["decides with another hash", { decision: "allow_once", inputHash: ZEROS }],
		["decides as somebody else", { decision: "allow_once", by: "person" }],
		["decides without a decision", {}],
	])("%s is refused, and nothing is decided", async (_what, params) => {
		const { runId, approvalId } = await ask();
		await refused(rpc("approvals.decide", { approvalId, ...params }));
		expect((await asked(runId)).approvalId).toBe(approvalId);
		await decide(bridge.client(), approvalId, "deny");
		expect(await endOf(runId)).toBe("completed DENIED");
	});

	it("decides after the run was cancelled changes nothing", async () => {
		const { runId, approvalId } = await ask();
		await rpc("tasks.cancel", { runId });
		expect(await endOf(runId)).toMatch(/^cancelled/);
		expect(await decide(bridge.client(), approvalId, "allow_once")).toMatchObject({ applied: false, record: { state: "withdrawn" } });
		expect(await effectsOf(runId)).toBe(0);
		expect(await trailOf(bridge.client(), runId)).toEqual(["requested", "denied"]);
	});

	it("cancels and allows at once gets one end, and at most one effect that is on record", async () => {
		const { runId, approvalId } = await ask();
		await Promise.all([rpc("tasks.cancel", { runId }), decide(bridge.client(), approvalId, "allow_once")]);
		await endOf(runId);
		const trail = await trailOf(bridge.client(), runId);
		expect(["denied", "succeeded", "failed", "unknown"]).toContain(trail.at(-1));
		expect(await effectsOf(runId)).toBe(trail.includes("succeeded") ? 1 : 0);
	});

	it.each([
		["another hash", { integration: "world", toolHash: ZEROS }, "TOOL_CHANGED"],
		["no hash", { integration: "world" }, "INVALID_PARAMS"],
		["what is not there", { integration: "moon", toolHash: ZEROS }, "TOOL_NOT_FOUND"],
		["a path", { integration: "../world", toolHash: ZEROS }, "INVALID_PARAMS"],
		["a prototype", { integration: "__proto__", toolHash: ZEROS }, "INVALID_PARAMS"],
	])("accepts %s is refused", async (_what, params, code) => {
		expect((await refused(rpc("tools.accept", params))).data.code).toBe(code);
	});

	it.each([
		["adds a path", "tools.add", { example: "../../../etc" }],
		["adds an example that is none", "tools.add", { example: "__proto__" }],
		["writes into a path", "tools.new", { integration: "../bridge" }],
		["writes over an integration", "tools.new", { integration: "world" }],
		["reads another path's sources", "tools.sources", { integration: "../bridge" }],
		["reads sources by a made-up hash", "tools.sources", { integration: "world", toolHash: ZEROS }],
		["makes a rule for a tool that is not there", "tools.policy", { toolId: "world.thing.erase", decision: "allow" }],
		["makes a rule for an agent's tools", "tools.policy", { toolId: "unruly:edit", decision: "allow" }],
		["makes a rule in a word that is none", "tools.policy", { toolId: "world.thing.destroy", decision: "always" }],
		["reads a receipt that is none", "receipts.get", { receiptId: "run-aaaaaaaaaaaaaaaa.1" }],
		["revokes what is none", "approvals.revoke", { approvalId: "apr-aaaaaaaaaaaaaaaa" }],
	])("%s is refused", async (_what, method, params) => {
		await refused(rpc(method, params));
	});

	it.each(["receipts/export", "runs/run-aaaaaaaaaaaaaaaa/activity"])("without the token reads no /%s", async (path) => {
		expect((await bridge.client().http({ path: `/${path}`, authorized: false })).status).toBe(401);
	});

	it("allows for a time and revokes is asked again; another thread was asked all along", async () => {
		const { runId, approvalId } = await ask("window");
		await decide(bridge.client(), approvalId, "allow_window");
		expect(await endOf(runId)).toBe("completed done");
		const covered = await submit(turn({ prompt: make("destroy", 2), providerId: "script", threadId: "window" }));
		expect(await endOf(covered)).toBe("completed done");
		expect(await trailOf(bridge.client(), covered)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(await endOf(await submit(ruled(make("destroy"), { unattended: true })))).toBe("completed DENIED");
		await rpc("approvals.revoke", { approvalId });
		expect(await endOf(await submit(ruled(make("destroy"), { unattended: true }, "window")))).toBe("completed DENIED");
	});

	it("allows for a time does not allow other code", async () => {
		const { runId, approvalId } = await ask("changed");
		await decide(bridge.client(), approvalId, "allow_window");
		expect(await endOf(runId)).toBe("completed done");
		await changeCode();
		expect(await endOf(await submit(ruled(make("destroy"), { unattended: true }, "changed")))).toBe("completed DENIED");
		await accept();
		expect(await endOf(await submit(ruled(make("destroy"), { unattended: true }, "changed")))).toBe("completed DENIED");
	});

	it("allows a call whose code has changed meanwhile allows nothing", async () => {
		const { runId, approvalId } = await ask();
		await changeCode();
		await accept();
		await decide(bridge.client(), approvalId, "allow_once");
		expect(await endOf(runId)).toBe("completed TOOL_CHANGED");
		expect(await effectsOf(runId)).toBe(0);
	});

	it.each([
		["allows in the run what it has not accepted", "make", { unattended: true, toolPolicy: { "world.thing.make": "allow" } }],
		["denies in the run what the tool allows", "make", { toolPolicy: { "world.thing.make": "deny" } }],
		["has nobody there to ask", "destroy", { unattended: true }],
		["allows all objects", "destroy", JSON.parse('{"unattended":true,"toolPolicy":{"__proto__":"allow"}}')],
	])("%s is denied", async (what, tool, assistant) => {
		if (what.includes("accepted")) await changeCode();
		const runId = await submit(ruled(make(tool), assistant));
		expect(await endOf(runId)).toBe("completed DENIED");
		expect(await effectsOf(runId)).toBe(0);
		if (what.includes("accepted")) await accept();
	});

	it("allows in the run what the user denies is denied", async () => {
		await rpc("tools.policy", { toolId: "world.thing.make", decision: "deny" });
		expect(await endOf(await submit(ruled(make("make"), { toolPolicy: { "world.thing.make": "allow" } })))).toBe("completed DENIED");
		await rpc("tools.policy", { toolId: "world.thing.make", decision: "inherit" });
	});

	it("sends a turn again with looser rules is refused", async () => {
		const params = ruled(make("destroy"), { unattended: true });
		expect(await endOf(await submit(params))).toBe("completed DENIED");
		const looser = { ...params, metadata: ruled("", { toolPolicy: { "world.thing.destroy": "allow" } }).metadata };
		expect((await refused(bridge.client().rpc("session.start", looser))).data.code).toBe("TURN_CONFLICT");
	});

	it.each([
		["a rule in a word that is none", { toolPolicy: { "world.thing.make": "always" } }],
		["a rule for what is no tool", { toolPolicy: { constructor: "allow" } }],
		["a field that is none", { accepted: true }],
	])("sends %s is refused", async (_what, assistant) => {
		expect((await refused(bridge.client().rpc("session.start", ruled(make("make"), assistant)))).data.code).toBe("INVALID_PARAMS");
	});

	it("has left receipts that hold, and the next run is fine", async () => {
		expect(await endOf(await submit(turn({ prompt: make("make"), providerId: "script" })))).toBe("completed done");
		expect(await verifyReceipts(bridge.client())).toMatchObject({ ok: true });
	});
});
