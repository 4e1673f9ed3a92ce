import { OpenClawRunRef } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { grantScope } from "../../../src/approvals/grant-scope.ts";
import type { PermissionAnswer, PermissionRequest } from "../../../src/ports/agents/provider.ts";
import { GatewayApi } from "../../../src/providers/openclaw/gateway/gateway-api.ts";
import { defaultGatewayBounds } from "../../../src/providers/openclaw/gateway/gateway-bounds.ts";
import { GatewayConnection } from "../../../src/providers/openclaw/gateway/gateway-connection.ts";
import { type AskedAnswer, GatewayApprovals } from "../../../src/providers/openclaw/turn/gateway-approvals.ts";
import { GatewayDouble, hello } from "./gateway-double.ts";

const ref = OpenClawRunRef.parse({
	runId: "run-1",
	sessionKey: "agent:main:xwm-000000000000000000000000",
	artifactScope: "tasks/t-000000000000/run-1",
});
const held = {
	id: "held-1",
	runId: ref.runId,
	sessionKey: ref.sessionKey,
	toolCallId: "call-1",
	title: "exec make",
	toolKind: "execute",
	inputHash: "0".repeat(64),
	command: "make",
	requestedAt: "2026-11-22T00:00:00.000Z",
};
const own = { id: "exec-1", request: { ...ref, toolCallId: "call-1", command: "make" } };
const quiet = { info: () => {}, warn: () => {}, debug: () => {} };

/** Answers as the desk does: brings the answer, and the one that counted on the gateway is the run's. */
async function bringing(decision: "allow_once" | "deny", { outside }: PermissionRequest): Promise<PermissionAnswer> {
	return { decision: (await outside?.bring(decision === "deny" ? "deny" : "allow")) ?? decision };
}

type Ask = (request: PermissionRequest) => Promise<AskedAnswer>;

/**
 * The questions of one run, every one of them answered so. `listed`: what the plugin holds. `first`: how the plugin's
 * questions were answered before on the gateway.
 */
async function scene(answer: AskedAnswer | Ask, listed: readonly unknown[] = [], first?: string) {
	const double = await GatewayDouble.start(({ method }) => {
		if (method === "connect") return hello();
		if (method === "xworkmate.approvals.list") return { payload: { items: listed } };
		if (first !== undefined && method.endsWith(".answer")) return { payload: { applied: false, outcome: first } };
		return { payload: method.endsWith(".list") ? [] : { applied: true } };
	});
	const bounds = { ...defaultGatewayBounds, retryMs: 5 };
	const access = async () => ({ url: double.url, version: "1" });
	const connection = new GatewayConnection(
		{ access, place: { host: "the double", setBy: {} }, bounds, log: quiet },
		{ onEvent: () => {}, onLink: () => {}, onLoss: () => {} },
	);
	connection.start();
	await connection.persist(async () => undefined);
	const asked: PermissionRequest[] = [];
	const denied: PermissionRequest[] = [];
	const calls = new GatewayApprovals({
		api: new GatewayApi(connection),
		ref,
		ask: async (request) => {
			asked.push(request);
			return typeof answer === "function" ? answer(request) : answer;
		},
		onDenied: (request) => void denied.push(request),
		onError: () => {},
	});
	/** Answers that reached the gateway so far; a call behind them has been answered. */
	const answers = async () => {
		await connection.persist((link) => link.call("fence", {}));
		return double.requests.filter(({ method }) => /answer|resolve/.test(method)).map(({ method, params }) => ({ method, ...params }));
	};
	const close = async () => {
		await connection.close();
		await double[Symbol.asyncDispose]();
	};
	return { calls, asked, denied, answers, [Symbol.asyncDispose]: close };
}

describe("tool calls that wait for a person", () => {
	it("are allowed by the person's yes, which answers the gateway's own question about the same call too", async () => {
		await using s = await scene({ decision: "allow_once" });
		s.calls.onPluginEvent({ approval: held, state: "pending" });
		await expect.poll(s.answers).toEqual([{ method: "xworkmate.approvals.answer", id: "held-1", allow: true }]);
		s.calls.onGatewayEvent("exec", own);
		await expect.poll(s.answers).toContainEqual({ method: "exec.approval.resolve", id: "exec-1", decision: "allow-once" });
		expect(s.asked).toHaveLength(1);
	});

	it("are refused by a no and by silence, with the reason", async () => {
		for (const decision of ["deny", "expired"] as const) {
			await using s = await scene({ decision });
			s.calls.onPluginEvent({ approval: held, state: "pending" });
			await expect.poll(s.answers).toMatchObject([{ id: "held-1", allow: false, reason: expect.any(String) }]);
			expect(s.denied).toHaveLength(1);
		}
	});

	it("that were denied without being asked about are told why, and not that the user denied them", async () => {
		const reasonOf = async (decision: "deny" | "expired" | "unrecorded") => {
			await using s = await scene({ decision });
			s.calls.onPluginEvent({ approval: held, state: "pending" });
			await expect.poll(s.answers).toHaveLength(1);
			return (await s.answers())[0];
		};
		expect(await reasonOf("deny")).toMatchObject({ allow: false, reason: "The user denied this call." });
		expect(await reasonOf("unrecorded")).toMatchObject({
			allow: false,
			reason: "This call was denied without asking the user, because the request could not be recorded.",
		});
		await using s = await scene({ decision: "allow_once" });
		for (let nth = 0; nth <= 500; nth++) s.calls.onPluginEvent({ approval: { ...held, id: `held-${nth}` }, state: "pending" });
		await expect.poll(async () => (await s.answers()).length).toBe(501);
		expect(s.asked).toHaveLength(500);
		expect((await s.answers()).filter((given) => !("allow" in given && given.allow === true))).toMatchObject([
			{ id: "held-500", reason: "This call was denied without asking the user, because this run has made more than 500 requests." },
		]);
	});

	it("[T4-19] that somebody answered on the gateway are told of that answer, and nothing is answered to it", async () => {
		for (const [state, answer] of [
			["allowed", "allow_once"],
			["denied", "deny"],
			["withdrawn", "withdrawn"],
		] as const) {
			await using s = await scene(async ({ outside }) => ({ decision: (await outside?.given) ?? "withdrawn" }));
			s.calls.onPluginEvent({ approval: held, state: "pending" });
			s.calls.onPluginEvent({ approval: held, state });
			await expect(s.asked[0]?.outside?.given).resolves.toBe(answer);
			expect(await s.answers()).toEqual([]);
			expect(s.denied).toHaveLength(answer === "deny" ? 1 : 0);
		}
	});

	it("are what the gateway says that counted, when an answer from here comes second", async () => {
		await using late = await scene((request) => bringing("deny", request), [], "allowed");
		late.calls.onPluginEvent({ approval: held, state: "pending" });
		await expect.poll(late.answers).toHaveLength(1);
		await expect(late.asked[0]?.outside?.bring("deny")).resolves.toBe("allow_once");
		expect(late.denied, "the call ran").toEqual([]);
		await using refused = await scene((request) => bringing("allow_once", request), [], "denied");
		refused.calls.onPluginEvent({ approval: held, state: "pending" });
		await expect.poll(() => refused.denied).toHaveLength(1);
	});

	it("that were answered on the gateway while the connection was gone are told of it once it is back", async () => {
		await using s = await scene(async ({ outside }) => ({ decision: (await outside?.given) ?? "withdrawn" }), [], "allowed");
		s.calls.onPluginEvent({ approval: held, state: "pending" });
		await s.calls.relist();
		await expect(s.asked[0]?.outside?.given).resolves.toBe("allow_once");
	});

	it("of the gateway's own are told of an answer that was given there", async () => {
		await using s = await scene(async ({ outside }) => ({ decision: (await outside?.given) ?? "withdrawn" }));
		s.calls.onGatewayEvent("exec", own);
		s.calls.onGatewayAnswer("exec", { id: own.id, decision: "deny", resolvedBy: "somebody" });
		await expect(s.asked[0]?.outside?.given).resolves.toBe("deny");
		expect(await s.answers()).toEqual([]);
	});

	it("are left as they are when the question is withdrawn: the next bridge asks again", async () => {
		await using s = await scene({ decision: "withdrawn" });
		s.calls.onPluginEvent({ approval: held, state: "pending" });
		s.calls.onGatewayEvent("exec", own);
		expect(s.asked).toHaveLength(2);
		expect(await s.answers()).toEqual([]);
	});

	it("are asked about once, however often they are named", async () => {
		await using s = await scene({ decision: "deny" }, [held]);
		s.calls.onPluginEvent({ approval: held, state: "pending" });
		await s.calls.relist();
		expect(s.asked).toHaveLength(1);
	});

	it("[D2] can be granted for their first words when their params say nothing else, and not at all when they say more", async () => {
		await using s = await scene({ decision: "allow_once" });
		const call = { ...held, title: "exec npm test", command: "npm test" };
		const params = [
			{ command: "npm test", timeout: 5 },
			{ command: "npm test", security: "full" },
			{ command: "npm test", host: "node" },
		];
		for (const [index, input] of params.entries()) {
			s.calls.onPluginEvent({
				approval: { ...call, id: `held-${index}`, input: { text: JSON.stringify(input), truncated: false } },
				state: "pending",
			});
		}
		expect(s.asked.map(grantScope)).toEqual([{ kind: "program", words: ["npm", "test"], tool: "exec " }, undefined, undefined]);
	});

	it("of other runs, other conversations and other forms are nobody's question here", async () => {
		await using s = await scene({ decision: "allow_once" });
		s.calls.onPluginEvent({ approval: { ...held, runId: "run-2" }, state: "pending" });
		s.calls.onPluginEvent({ approval: { ...held, sessionKey: "agent:main:xwm-111111111111111111111111" }, state: "pending" });
		s.calls.onPluginEvent({ approval: held, state: "withdrawn" });
		s.calls.onPluginEvent({ approval: { ...held, inputHash: "none" }, state: "pending" });
		s.calls.onGatewayEvent("exec", { ...own, request: { ...own.request, runId: "run-2" } });
		s.calls.onGatewayEvent("exec", { ...own, request: { command: "make" } });
		s.calls.onGatewayEvent("plugin", "garbage");
		expect(s.asked).toEqual([]);
		expect(await s.answers()).toEqual([]);
	});
});
