import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { approvals, decide, question } from "../../support/app/approvals.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { settle, settleAgain } from "../../support/bridge/settle.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";

const Receipts = z.object({ items: z.array(z.object({ type: z.string(), decision: z.object({ by: z.string() }).optional() })) });

let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startBridge({
		providers: [unrulyAgent(), unrulyAgent("trusted")],
		env: { XWORKMATE_ALLOW_PROVIDERS: "trusted", XWORKMATE_MAX_ACTIVE_RUNS: "16" },
	});
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const asking = (more: Partial<Parameters<typeof turn>[0]> = {}) => turn({ prompt: "UNRULY:ASK write it", providerId: "unruly", ...more });

it.each([
	["allow_once", "answer allow_once"],
	["deny", "answer reject_once"],
])("asks a person, and gives the agent the answer: %s", async (decision, said) => {
	const { snapshot, updates } = await settle(client, asking(), {
		during: async (stream) => {
			const { approvalId, runId, title, expiresAt, requestedAt } = await question(stream);
			expect(title).toContain("write it");
			expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBe(15 * 60_000);
			const waiting = await client.snapshot({ runId });
			expect(waiting).toMatchObject({ status: "running", progress: { stage: "waiting_approval" }, pendingApprovals: [{ approvalId }] });
			expect(await approvals(client, { state: "pending", runId })).toMatchObject([{ approvalId }]);
			expect(await decide(client, approvalId, decision)).toMatchObject({ applied: true, record: { state: "decided", decision } });
		},
	});
	expect(snapshot).toMatchObject({ status: "completed", pendingApprovals: [] });
	expect(snapshot.output?.text.trim()).toBe(said);
	expect(updates.flatMap(({ update }) => (update.kind === "approval" ? [update.state] : []))).toEqual(["pending", "decided"]);
	expect(await approvals(client, { runId: snapshot.runId })).toMatchObject([{ state: "decided", decision }]);
});

it("lets the first decision win, and tells the others what it was", async () => {
	const { snapshot } = await settle(client, asking(), {
		during: async (stream) => {
			const { approvalId } = await question(stream);
			const decisions = Array.from({ length: 10 }, (_, index) => decide(client, approvalId, index % 2 === 0 ? "deny" : "allow_once"));
			const outcomes = await Promise.all(decisions);
			expect(outcomes.filter(({ applied }) => applied).length).toBe(1);
			expect(new Set(outcomes.map(({ record }) => record.decision)).size).toBe(1);
		},
	});
	const [record] = await approvals(client, { runId: snapshot.runId });
	expect(snapshot.output?.text.trim()).toBe(record?.decision === "deny" ? "answer reject_once" : "answer allow_once");
	const late = await decide(client, record?.approvalId ?? "", record?.decision === "deny" ? "allow_once" : "deny");
	expect(late).toEqual({ applied: false, record });
});

it("withdraws the question when the run is cancelled, and takes no late answer", async () => {
	const { snapshot, updates } = await settle(client, asking(), {
		during: async (stream) => {
			const { approvalId, runId } = await question(stream);
			await client.rpc("xworkmate.tasks.cancel", { runId });
			expect(await decide(client, approvalId, "allow_once")).toMatchObject({ applied: false, record: { state: "withdrawn" } });
		},
	});
	expect(snapshot.status).toBe("cancelled");
	expect(updates.flatMap(({ update }) => (update.kind === "approval" ? [update.state] : []))).toEqual(["pending", "withdrawn"]);
	expect(updates.filter(({ update }) => String(update.text).includes("answer allow"))).toEqual([]);
});

it("does not ask again within an allowed window of the same thread and kind of tool", async () => {
	const first = await settle(client, asking(), {
		during: async (stream) => {
			const { approvalId, options } = await question(stream);
			expect(options).toContain("allow_window");
			expect(await decide(client, approvalId, "allow_window")).toMatchObject({ applied: true, record: { decision: "allow_window" } });
		},
	});
	const { threadId } = first.snapshot;
	const second = await settle(client, asking({ threadId }), { method: "session.message" });
	expect(second.snapshot).toMatchObject({ status: "completed" });
	expect(await approvals(client, { runId: second.snapshot.runId })).toMatchObject([
		{ state: "decided", decidedBy: expect.stringContaining("window") },
	]);
	const elsewhere = await settle(client, asking(), {
		during: async (stream) => {
			await decide(client, (await question(stream)).approvalId, "deny");
		},
	});
	expect(elsewhere.snapshot.output?.text.trim()).toBe("answer reject_once");
});

it("[D2] asks again for another command within an allowed window, and for the same one once the window is revoked", async () => {
	const asks = (commands: readonly string[]) => `UNRULY:${commands.map((command) => `ASK ${command}`).join(" ;; ")}`;
	const first = "python3 -m pip install matplotlib==3.9.0";
	const second = "rm -rf build/1 && \u202egnp.sh";
	const Grants = z.object({ items: z.array(z.looseObject({ approvalId: z.string() })) });
	const { snapshot } = await settle(client, asking({ prompt: asks([first, first, second, "npm test"]) }), {
		during: async (stream) => {
			await decide(client, (await question(stream)).approvalId, "allow_window");
			const asked = await question(stream, 2);
			expect(asked).toMatchObject({ title: second, options: ["allow_once", "deny"] });
			await decide(client, asked.approvalId, "deny");
			const named = await question(stream, 3);
			expect(named).toMatchObject({ grantScope: { kind: "program", words: ["npm", "test"] } });
			await decide(client, named.approvalId, "allow_window");
		},
	});
	const records = await approvals(client, { runId: snapshot.runId });
	expect(records.map(({ decision }) => decision).reverse()).toEqual(["allow_window", "allow_once", "deny", "allow_window"]);
	const { threadId } = snapshot;
	const { items } = Grants.parse(await client.rpc("xworkmate.approvals.grants", { threadId }));
	expect(items).toMatchObject([{ title: "npm test" }, { title: first }]);
	for (const { approvalId } of items) {
		expect(await client.rpc("xworkmate.approvals.revoke", { approvalId })).toMatchObject({ applied: true });
		expect(await client.rpc("xworkmate.approvals.revoke", { approvalId })).toMatchObject({ applied: false });
	}
	expect(await client.rpc("xworkmate.approvals.grants", { threadId })).toEqual({ items: [] });
	const again = await settle(client, asking({ threadId, prompt: asks(["npm test"]) }), {
		method: "session.message",
		during: async (stream) => void (await decide(client, (await question(stream)).approvalId, "deny")),
	});
	expect(again.snapshot.output?.text.trim()).toBe("answer reject_once");
});

it("answers what the configuration allows, and records it", async () => {
	const { snapshot } = await settle(client, asking({ providerId: "trusted" }));
	expect(snapshot.output?.text.trim()).toBe("answer allow_once");
	expect(await approvals(client, { runId: snapshot.runId })).toMatchObject([{ state: "decided", decidedBy: "configuration:provider" }]);
});

it("keeps several questions of one run apart", async () => {
	const { snapshot } = await settle(client, asking({ prompt: "UNRULY:ASK_MANY 3" }), {
		during: async (stream) => {
			await question(stream, 3);
			const { runId } = stream.updates[0] ?? { runId: "" };
			const pending = await approvals(client, { state: "pending", runId });
			expect(pending.length).toBe(3);
			for (const { approvalId, title } of pending) await decide(client, approvalId, title.includes("1") ? "deny" : "allow_once");
		},
	});
	expect(snapshot.output?.text.trim()).toBe("answers allow_once,reject_once,allow_once");
});

it("keeps both permissions for a call that its agent had begun before it asked, and says of the call that it was allowed", async () => {
	const begun = { sessionUpdate: "tool_call", toolCallId: "twice", title: "make", kind: "execute", status: "in_progress" };
	const prompt = `UNRULY:UPDATE ${JSON.stringify({ ...begun, rawInput: { command: "make" } })} ;; ASK_TWICE make make`;
	const { snapshot } = await settle(client, asking({ prompt }), {
		during: async (stream) => {
			for (const nth of [1, 2]) await decide(client, (await question(stream, nth)).approvalId, "allow_once");
		},
	});
	const { runId } = snapshot;
	const { items } = Receipts.parse(await client.rpc("xworkmate.receipts.list", { runId }));
	expect(items.map(({ type, decision }) => [type, decision?.by]).reverse()).toEqual([
		["tool.call.requested", undefined],
		["tool.call.started", undefined],
		["tool.call.approved", "person"],
		["tool.call.approved", "person"],
		["tool.call.unknown", undefined],
	]);
	expect(await client.rpc("xworkmate.activity.get", { runId })).toMatchObject({
		items: [{ words: "make", code: "NOT_REPORTED", approval: { decision: "allow_once", by: "person" } }],
	});
	expect(await client.rpc("xworkmate.receipts.verify", { runId })).toMatchObject({ problems: [] });
});

it("refuses a decision that was not offered, and one about nothing", async () => {
	await settle(client, asking(), {
		during: async (stream) => {
			const { approvalId } = await question(stream);
			const refusal = await refused(decide(client, approvalId, "maybe"));
			expect(refusal.data.code).toBe("INVALID_PARAMS");
			await decide(client, approvalId, "deny");
		},
	});
	expect((await refused(decide(client, "nothing", "deny"))).data.code).toBe("NOT_FOUND");
});

it("expires as a deny, does not run the deadline while a person is asked, and leaves nothing open over a kill", async () => {
	await using hasty = await startBridge({
		providers: [unrulyAgent()],
		env: { XWORKMATE_APPROVAL_MS: "4500", XWORKMATE_RUN_BUDGET_MS: "4000" },
	});
	const expired = await settle(hasty.client(), asking());
	expect(expired.snapshot).toMatchObject({ status: "completed" });
	expect(expired.snapshot.output?.text.trim()).toBe("answer reject_once");
	const [record] = await approvals(hasty.client(), { runId: expired.snapshot.runId });
	expect(record?.state).toBe("expired");
	expect(await decide(hasty.client(), record?.approvalId ?? "", "allow_once")).toMatchObject({
		applied: false,
		record: { state: "expired" },
	});

	const stream = await hasty.client().stream("session.start", asking());
	const { runId } = await question(stream);
	await hasty.restart("SIGKILL");
	const { snapshot } = await settleAgain(hasty.client(), runId);
	expect(snapshot).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED", pendingApprovals: [] });
	expect(await approvals(hasty.client(), { runId })).toMatchObject([{ state: "withdrawn" }]);
});
