import { randomUUID } from "node:crypto";
import { describe, it } from "vitest";
import { z } from "zod";
import { decide, question } from "../support/app/approvals.ts";
import { settle } from "../support/bridge/settle.ts";
import { gatewayTurn, suiteGateway, TURN_BOUND_MS, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";

const client = useGatewayBridge({ XWORKMATE_ALLOW_PROVIDERS: "" });

const Held = z.object({ items: z.array(z.object({ id: z.string(), runId: z.string() })) });

/** Gives another operator's way to answer the held call of a run. */
async function operatorOf(runId: string): Promise<(allow: boolean) => Promise<unknown>> {
	using operator = await suiteGateway().connect();
	const { items } = Held.parse(await operator.request("xworkmate.approvals.list", {}));
	const id = items.find((item) => item.runId === runId)?.id;
	return async (allow) => {
		using answering = await suiteGateway().connect();
		return await answering.request("xworkmate.approvals.answer", { id, allow });
	};
}

describe.concurrent("a question that another operator of the gateway answers", () => {
	it.for([
		[true, "allow_once", "deny", 1],
		[false, "deny", "allow_once", 0],
	] as const)("has that answer on record, and a late one gets it: %s", async ([allow, counted, late, count], { expect }) => {
		const prompt = `FAKE:RUN printf yes > $XWORKMATE_ARTIFACT_DIRECTORY/${randomUUID()}.txt ;; SAY went on`;
		const { snapshot, updates } = await settle(client, gatewayTurn(prompt), {
			during: async (stream) => {
				const { runId, approvalId } = await question(stream, 1, TURN_BOUND_MS);
				await (await operatorOf(runId))(allow);
				const record = { state: "decided", decision: counted, decidedBy: "gateway" };
				await stream.until("the answer", ({ update }) => update.kind === "approval" && update.state === "decided", TURN_BOUND_MS);
				expect(await decide(client, approvalId, late)).toMatchObject({ applied: false, record });
			},
		});
		expect(snapshot).toMatchObject({ status: "completed", artifacts: { count } });
		const denied = updates.some(({ update }) => update.kind === "tool_call" && update.state === "denied");
		expect(denied).toBe(!allow);
	});

	it("at the same time as somebody here has one outcome, which is what happened", async ({ expect }) => {
		const prompt = `FAKE:RUN printf yes > $XWORKMATE_ARTIFACT_DIRECTORY/${randomUUID()}.txt ;; SAY went on`;
		const { snapshot, updates } = await settle(client, gatewayTurn(prompt), {
			during: async (stream) => {
				const { runId, approvalId } = await question(stream, 1, TURN_BOUND_MS);
				const answerThere = await operatorOf(runId);
				await Promise.all([decide(client, approvalId, "deny"), answerThere(true)]);
			},
		});
		const last = updates.flatMap(({ update }) => (update.kind === "approval" ? [update] : [])).at(-1);
		expect(last).toMatchObject({ state: "decided", decision: snapshot.artifacts.count === 1 ? "allow_once" : "deny" });
	});
});
