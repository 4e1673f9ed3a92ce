import { type Approval, ApprovalId, ContractError, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { archiveThread, decideApproval, restoreThread, revokeGrant } from "../../../src/cli/threads/thread-commands.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

/** A thread whose run is over, and one whose run is in progress. */
async function scene() {
	const opened = await CoreScene.open();
	opened.bridge.onRun = (run) => void run.text("done").end("completed");
	const over = await opened.send("over");
	await opened.end(over);
	const run = held(opened.bridge);
	const active = await opened.send("active");
	for await (const event of opened.api.watch(active)) if (event.type === "update") break;
	return { opened, over, active, run };
}

const output = (api: AppApi) => ({ api, console: new RecordingConsole(), json: false });

it("cancel of what is over succeeds and says so, and of an unknown id fails with the lists of ids", async () => {
	const { opened, over, active } = await scene();
	await using _closing = opened;
	const cancelled = async (id: string) => {
		const given = output(opened.api);
		// The code is 0 unless the command throws.
		await cancelTask(given, ThreadId.parse(id));
		return given.console.lines;
	};
	expect(await cancelled(over.threadId)).toEqual(["Nothing is running or queued in this thread."]);
	const [first] = opened.bridge.runs;
	expect(await cancelled(first?.runId ?? "")).toEqual(["Already ended: Succeeded."]);
	for (const id of ["x", "draft:nope"]) {
		await expect(cancelled(id)).rejects.toMatchObject({
			code: "TURN_NOT_FOUND",
			message: `There is no thread or run ${id}.`,
			fix: "List them: npm run -s xworkmate -- threads list or npm run -s xworkmate -- tasks",
		});
	}
	expect((await cancelled(active.threadId)).join()).toMatch(/Cancelled|Stop requested/);
	await opened.end(active);
	expect(await cancelled(active.threadId)).toEqual(["Nothing is running or queued in this thread."]);
});

it("cancel of a run by its id never says that what it has just cancelled was over already", async () => {
	const { opened, active, run } = await scene();
	await using _closing = opened;
	const given = output(opened.api);
	// The bridge ends a queued run as soon as it is asked to, and its answer says so.
	await cancelTask(given, ThreadId.parse(run().runId));
	expect(given.console.lines).toEqual(["The run was cancelled."]);
	await opened.end(active);
});

it("archiving and restoring say when it was so already", async () => {
	const { opened, over } = await scene();
	await using _closing = opened;
	const given = output(opened.api);
	for (const act of [archiveThread, archiveThread, restoreThread, restoreThread]) await act(given, over.threadId);
	const restore = `Restore it: npm run -s xworkmate -- threads restore ${over.threadId}`;
	expect(given.console.lines).toEqual([
		`Archived. ${restore}`,
		`The thread was already archived. ${restore}`,
		"Restored.",
		"The thread was not archived.",
	]);
});

it("an answer that was already given succeeds, and one that contradicts it fails", async () => {
	const { opened, run } = await scene();
	await using _closing = opened;
	run().asks("a1");
	const decide = async (decision: "allow_once" | "deny") => {
		const given = output(opened.api);
		return [await decideApproval(given, ApprovalId.parse("a1"), decision), given.console.lines.join()];
	};
	expect(await decide("allow_once")).toEqual([0, "Answered: allowed once."]);
	expect(await decide("allow_once")).toEqual([0, "Already answered: allowed once."]);
	expect(await decide("deny")).toEqual([1, "Already answered: allowed once."]);
});

it("an answer that was given with a permission says whether the permission still holds", async () => {
	const { opened, run } = await scene();
	await using _closing = opened;
	const decide = async (id: string) => {
		const given = output(opened.api);
		return [await decideApproval(given, ApprovalId.parse(id), "allow_once"), given.console.lines.join()];
	};
	const decidedAt = new Date().toISOString();
	run().offers("a1", "allow_window", { decidedAt });
	expect(await decide("a1")).toEqual([1, "Already answered: allowed with a 15-minute permission."]);
	await revokeGrant(output(opened.api), ApprovalId.parse("a1"));
	expect(await decide("a1")).toEqual([1, "Already answered: allowed with a 15-minute permission. The permission has been revoked."]);
	run().offers("a2", "allow_window", { decidedAt: new Date(Date.now() - 900_000).toISOString() });
	expect(await decide("a2")).toEqual([1, "Already answered: allowed with a 15-minute permission. The permission has ended."]);
});

type Answering = Pick<AppApi, "decideApproval" | "revokeGrant">;

/** What the bridge answers about one request. */
function answering(record: Partial<Approval>) {
	const answer = async () => ({ record: record as Approval, applied: false });
	const api: Answering = { decideApproval: answer, revokeGrant: answer };
	return output(api as AppApi);
}

it("a request that has expired is denied already", async () => {
	const id = ApprovalId.parse("a1");
	expect(await decideApproval(answering({ state: "expired" }), id, "deny")).toBe(0);
	expect(await decideApproval(answering({ state: "expired" }), id, "allow_once")).toBe(1);
	expect(await decideApproval(answering({ state: "withdrawn" }), id, "deny")).toBe(1);
});

it("revoking twice succeeds, and revoking what was never a permission fails and says so", async () => {
	const id = ApprovalId.parse("a1");
	const twice = answering({ state: "decided", decision: "allow_window", revokedAt: "2026-01-01T00:00:00.000Z" as Approval["requestedAt"] });
	expect([await revokeGrant(twice, id), twice.console.lines]).toEqual([0, ["The permission had already been revoked."]]);
	const never = answering({ state: "decided", decision: "deny" });
	expect([await revokeGrant(never, id), never.console.lines]).toEqual([
		1,
		["This request did not create a permission. List the permissions: npm run -s xworkmate -- grants list"],
	]);
});

it("revoking what the bridge refuses says what it is, and what to do about it", async () => {
	const id = ApprovalId.parse("a1");
	const revoked = async (record: Partial<Approval>) => {
		const api: Pick<AppApi, "revokeGrant" | "approvalInput"> = {
			revokeGrant: async () => {
				throw new ContractError("INVALID_PARAMS", { detail: "No temporary permission was granted for this request." });
			},
			approvalInput: async () => ({ record: record as Approval }),
		};
		const given = output(api as AppApi);
		return [await revokeGrant(given, id), given.console.lines];
	};
	expect(await revoked({ state: "pending" })).toEqual([
		1,
		["This request is still waiting for your answer. Deny it: npm run -s xworkmate -- approvals deny a1"],
	]);
	expect(await revoked({ state: "decided", decision: "deny" })).toEqual([
		1,
		["This request did not create a permission. List the permissions: npm run -s xworkmate -- grants list"],
	]);
});

it("an unknown request or permission fails with the command that lists them", async () => {
	const refuse = async () => {
		throw new ContractError("NOT_FOUND", { detail: "There is no request nope." });
	};
	const api: Answering = { decideApproval: refuse, revokeGrant: refuse };
	const given = output(api as AppApi);
	const id = ApprovalId.parse("nope");
	await expect(decideApproval(given, id, "deny")).rejects.toMatchObject({
		message: "There is no request nope.",
		fix: "List the requests that are waiting: npm run -s xworkmate -- approvals list",
	});
	await expect(revokeGrant(given, id)).rejects.toMatchObject({
		message: "There is no permission nope.",
		fix: "List the permissions: npm run -s xworkmate -- grants list",
	});
});
