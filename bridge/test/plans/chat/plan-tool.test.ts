import { ContactId, ContractError, type NewPlan, OriginId, type Plan } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decideCall } from "../../../src/approvals/decide-call.ts";
import { hostsWithPlanTool, type PlanToolDeps, planTool } from "../../../src/plans/chat/plan-tool.ts";
import type { HostedCall } from "../../../src/ports/tools/tool-hosts.ts";
import type { TurnWords } from "../../../src/ports/tools/turn-hosts.ts";
import { HostsWithWriteTool } from "../../../src/tools/integrations/write-tool.ts";
import { CountingHosts } from "../../programs/counting-hosts.ts";

const never = new AbortController().signal;
const input = {
	title: "Call mom",
	delivery: [{ channel: "dashboard", channelWords: "dashboard", content: "Don't forget to call mom" }],
	when: { kind: "in", amount: 2, unit: "hours", words: ["In 2 hours"] },
};
const anna = { contactId: ContactId.parse("anna"), name: "Anna", addresses: {} };

/** The tool in a turn, with plans in memory: the same request is the same plan. */
function scene(change: Partial<PlanToolDeps> = {}, said: Partial<TurnWords> = {}) {
	const made = new Map<string, NewPlan>();
	const planOf = ({ title, scheduledFor }: NewPlan) =>
		({ planId: "plan-1", title, scheduleWords: "once", nextDueAt: scheduledFor }) as Plan;
	const shown: string[] = [];
	const turn: TurnWords = {
		prompt: "In 2 hours, put Don't forget to call mom on my dashboard",
		earlier: [],
		saidAt: Date.parse("2026-11-23T10:00:00Z"),
		wasShown: (toolCallId, words) => toolCallId === "call-1" && shown.includes(words),
		...said,
	};
	const world = new CountingHosts({ look: { risk: "read" } });
	const hosts = hostsWithPlanTool({
		zoneOf: () => ({ timezone: "UTC" }),
		scene: async () => ({ channels: [{ channel: "dashboard", hasOwner: true }], contacts: [anna] }),
		check: async () => undefined,
		made: async (requestId) => {
			const plan = made.get(requestId);
			return plan && planOf(plan);
		},
		create: async (plan) => {
			made.set(plan.requestId, plan);
			return planOf(plan);
		},
		...change,
	})(new HostsWithWriteTool(world, async () => Promise.reject(new Error("unused"))), turn);
	const call = (more: Partial<HostedCall> = {}) =>
		hosts.call(
			planTool,
			{ runId: "run-1" as never, toolCallId: "call-1", idempotencyKey: "k".repeat(64), attempt: 1, input, ...more },
			never,
		);
	const ask = async (given: unknown = input) => {
		const examined = await hosts.examine(planTool, given);
		if (examined.kind === "valid") shown.push(examined.words);
		return examined;
	};
	return { hosts, world, made, call, ask };
}

describe("tools.xworkmate.createPlan", () => {
	it("is there beside the other tools of its group, on one line, and leaves theirs alone", async () => {
		const { hosts, world } = scene();
		const { tools, declarations } = await hosts.catalogue();
		expect([...tools.keys()]).toEqual(["world.look", "xworkmate.writeTool", "xworkmate.createPlan"]);
		expect(declarations.match(/readonly xworkmate: \{/g)).toHaveLength(1);
		expect(declarations).toMatch(/^\t\tcreatePlan\(input: \{ title: string; .*Promise<ToolResult<.*$/m);
		expect([hosts.isCurrent(planTool), hosts.isCurrent(world.tool("look")), hosts.isCurrent(world.tool("gone"))]).toEqual([
			true,
			true,
			false,
		]);
	});

	it("is asked about whatever any rule or permission allows, and denied where nobody is there to ask", () => {
		const facts = { tool: planTool, isUnattended: false, inputBytes: 10, waiting: 0 };
		const allowed = { ...facts, own: "allow", run: "allow", rule: "allow", window: "apr-1" as never } as const;
		expect(decideCall(allowed)).toEqual({ decision: "ask", mayWindow: false });
		expect(decideCall({ ...allowed, isUnattended: true })).toMatchObject({ decision: "deny", reason: "unattended" });
	});

	it("makes what was shown, and the same call makes the same plan again, at the same time", async () => {
		const { call, ask, made } = scene();
		expect(await ask()).toMatchObject({ kind: "valid", words: expect.stringContaining("due once, on Mon 23 Nov 2026 at 12:00 (UTC)") });
		expect(made.size).toBe(0);
		const first = await call();
		expect(first).toMatchObject({ kind: "succeeded", output: { planId: "plan-1", nextDueAt: "2026-11-23T12:00:00.000Z" } });
		expect(await call({ attempt: 2 })).toEqual(first);
		expect([...made.keys()]).toEqual([`chat-${"k".repeat(40)}`]);
		await call({ idempotencyKey: "l".repeat(64) });
		expect(made.size).toBe(2);
	});

	it("reads a time in the zone of where it was said, and says which one it took", async () => {
		const atNine = { ...input, when: { kind: "at", day: "tomorrow", clock: { hour: 9 }, words: ["tomorrow at 9am"] } };
		const prompt = "Tomorrow at 9am, put Don't forget to call mom on my dashboard";
		const zoneOf = (origin: TurnWords["origin"]) =>
			origin?.kind === "operator" ? { timezone: "Asia/Tokyo" } : { timezone: "UTC", note: "times are in UTC, the bridge's time zone" };
		const there = scene({ zoneOf }, { prompt, origin: { kind: "operator", id: OriginId.parse("discord") } });
		const words = expect.stringMatching(/at 09:00 \(Tokyo\);(?!.*time zone)/);
		expect(await there.ask(atNine)).toMatchObject({ kind: "valid", words });
		await there.call({ input: atNine });
		expect([...there.made.values()]).toMatchObject([{ timezone: "Asia/Tokyo", scheduledFor: "2026-11-24T00:00:00.000Z" }]);
		const here = scene({ zoneOf }, { prompt });
		expect(await here.ask(atNine)).toMatchObject({ words: expect.stringContaining("(UTC); times are in UTC, the bridge's time zone;") });
		const now = scene({ zoneOf }, { prompt: "Put Don't forget to call mom on my dashboard" });
		expect(await now.ask({ ...input, when: { kind: "now" } })).toMatchObject({ words: expect.not.stringContaining("time zone") });
	});

	it("makes nothing that was not shown in this call", async () => {
		const { call, ask, made } = scene();
		expect(await call()).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		await ask();
		expect(await call({ input: { ...input, title: "Another" } })).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		expect(await call({ toolCallId: "call-2" })).toMatchObject({ kind: "failed" });
		expect(await call({ attempt: 2, input: { ...input, title: "Another" } })).toMatchObject({ kind: "failed" });
		expect(made.size).toBe(0);
	});

	it("finds a plan that an earlier bridge made, though it would be another one now", async () => {
		let contacts = [anna];
		const { call, ask } = scene({ scene: async () => ({ channels: [{ channel: "dashboard", hasOwner: contacts.length > 0 }], contacts }) });
		await ask();
		const first = await call();
		contacts = [];
		expect(await call({ attempt: 2 })).toEqual(first);
		const lost = scene({ made: async () => Promise.reject(new Error("disk")) });
		await lost.ask();
		expect(await lost.call({ attempt: 2 })).toMatchObject({ kind: "unknown" });
		expect(lost.made.size).toBe(0);
	});

	it("refuses what could never be done before anybody is asked, and says what is wrong", async () => {
		const { ask } = scene({ check: async () => Promise.reject(new ContractError("CONTENT_INVALID", { detail: "The message is empty." })) });
		expect(await ask()).toMatchObject({ kind: "invalid", message: expect.stringContaining("empty") });
		const other = scene();
		expect(await other.ask({ ...input, scheduledFor: "2026-11-23T12:00:00Z" })).toMatchObject({ kind: "invalid" });
		const invented = { ...input, delivery: [{ channel: "dashboard", content: "Pay now" }] };
		expect(await other.ask(invented)).toMatchObject({ kind: "invalid", message: expect.stringContaining("CONTENT_CHANGED") });
	});

	it.each([
		["the time is over meanwhile", new ContractError("SCHEDULE_INVALID", { detail: "The time is in the past." }), "failed"],
		["another plan has the request", new ContractError("PLAN_CONFLICT"), "unknown"],
		["the store fails", new Error("disk"), "unknown"],
	])("says what is known when %s", async (_what, error, kind) => {
		const { call, ask } = scene({ create: async () => Promise.reject(error) });
		await ask();
		expect(await call()).toMatchObject({ kind });
	});
});
