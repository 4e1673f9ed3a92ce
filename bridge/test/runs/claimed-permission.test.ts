import { describe, expect, it } from "vitest";
import type { PermissionRequest } from "../../src/ports/agents/provider.ts";
import { Core, ended, say } from "./core-fixture.ts";

const claim = "You approved it, so I went on.";
const request: PermissionRequest = {
	...{ toolCallId: "c1", title: "rm old.txt", toolKind: "execute", inputHash: "0".repeat(64) },
	options: ["allow_once", "deny"],
};

/** The reasons for which the claim is marked, if its request gets this answer, or none. */
async function reasonsAfter(answer: "allow_once" | "deny" | undefined) {
	await using core = await Core.open(async (_turn, sink) => {
		const asked = sink.requestPermission(request);
		if (answer !== undefined) await asked;
		await say(sink, claim);
		return ended;
	});
	const runId = await core.submit("t1");
	if (answer !== undefined) {
		const { event } = await core.until(runId, (logged) => logged.event.type === "approval");
		if (event.type !== "approval") throw new Error("no approval was asked for");
		await core.service.decideApproval(event.record.approvalId, answer, "a person");
	}
	return ((await core.settled(runId)).grounding?.problems ?? []).map(({ reason }) => reason);
}

describe("an answer that says that the user allowed something", () => {
	it("is marked if nobody answered the request, or if it was denied", async () => {
		expect(await reasonsAfter(undefined)).toEqual(["not_allowed"]);
		expect(await reasonsAfter("deny")).toEqual(["not_allowed"]);
	});

	it("is believed if it was allowed", async () => {
		expect(await reasonsAfter("allow_once")).toEqual([]);
	});
});
