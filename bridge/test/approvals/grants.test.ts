import type { Approval, ApprovalDecision, RunId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import type { PermissionRequest } from "../../src/ports/agents/provider.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { Core, ended, type Play, say } from "../runs/core-fixture.ts";
import { executedIn } from "../store/count-statements.ts";

const requestOf = (command: string): PermissionRequest => ({
	title: command,
	toolKind: "execute",
	input: { text: JSON.stringify({ command }), truncated: false },
	inputHash: "0".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	command,
});

/** Asks about each line of the prompt as a command, one after the other, and says what was answered. */
const asks: Play = async ({ prompt }, sink) => {
	for (const command of prompt.split("\n")) {
		const { decision } = await sink.requestPermission(requestOf(command));
		await say(sink, `${decision} `);
	}
	return ended;
};

async function question(core: Core, runId: RunId, title: string): Promise<Approval> {
	const { event } = await core.until(runId, ({ event }) => event.type === "approval" && event.record.title === title);
	if (event.type !== "approval") throw new Error("not a question");
	return event.record;
}

const answer = (core: Core, { approvalId }: Approval, decision: ApprovalDecision) =>
	core.service.decideApproval(approvalId, decision, "person");

/** A thread in which `npm test …` is granted. */
async function granted(core: Core, turn = "t1"): Promise<Approval> {
	const run = await core.submit(turn, { prompt: "npm test" });
	const asked = await question(core, run, "npm test");
	await answer(core, asked, "allow_window");
	await core.settled(run);
	return asked;
}

describe("[D2] a grant", () => {
	it("for one command does not let another run unasked", async () => {
		await using core = await Core.open(asks);
		const first = "python3 -m pip install matplotlib==3.9.0";
		const second = "rm -rf build/1 && \u202egnp.sh";
		const run = await core.submit("t1", { prompt: `${first}\n${second}\nnpm test\n${first}` });
		await answer(core, await question(core, run, first), "allow_window");
		const next = await question(core, run, second);
		expect(next).toMatchObject({ state: "pending", options: ["allow_once", "deny"] });
		expect(next).not.toHaveProperty("grantScope");
		await answer(core, next, "deny");
		const third = await question(core, run, "npm test");
		expect(third.state).toBe("pending");
		await answer(core, third, "deny");
		expect((await core.settled(run)).output?.text).toBe("allow_window deny deny allow_once ");
	});

	it("allows what already waits and is covered, and nothing else that waits", async () => {
		await using core = await Core.open(async ({ prompt }, sink) => {
			const answers = prompt.split("\n").map((command) => sink.requestPermission(requestOf(command)));
			await say(sink, (await Promise.all(answers)).map(({ decision }) => decision).join(" "));
			return ended;
		});
		const run = await core.submit("t1", { prompt: "npm test a\nnpm test b\nnpm test --fix" });
		const first = await question(core, run, "npm test a");
		const other = await question(core, run, "npm test --fix");
		await answer(core, first, "allow_window");
		const { event } = await core.until(
			run,
			({ event }) => event.type === "approval" && event.record.title === "npm test b" && event.record.state === "decided",
		);
		const grant = { approvalId: first.approvalId, windowSeconds: 900 };
		expect(event).toMatchObject({ record: { decision: "allow_once", decidedBy: `window:${first.approvalId}`, grant } });
		expect(await answer(core, other, "deny")).toMatchObject({ applied: true });
		expect((await core.settled(run)).output?.text).toBe("allow_window allow_once deny");
	});

	it("does not allow what waits still although its time is over, as after a sleep of the machine", async () => {
		const later = Promise.withResolvers<void>();
		let slept = 0;
		const clock = { now: () => systemClock.now() + slept, at: (time: number, act: () => void) => systemClock.at(time - slept, act) };
		const play: Play = async (_turn, sink) => {
			const first = sink.requestPermission(requestOf("npm test a"));
			await later.promise;
			await sink.requestPermission(requestOf("npm test b"));
			await say(sink, (await first).decision);
			return ended;
		};
		await using core = await Core.open(play, {}, undefined, undefined, clock);
		const run = await core.submit("t1", { prompt: "x" });
		const late = await question(core, run, "npm test a");
		slept = Date.parse(late.expiresAt) - Date.parse(late.requestedAt);
		later.resolve();
		await answer(core, await question(core, run, "npm test b"), "allow_window");
		expect((await answer(core, late, "allow_once")).record.state).toBe("expired");
		expect((await core.settled(run)).output?.text).toBe("expired");
	});

	it("for a command does not let it run with another option", async () => {
		await using core = await Core.open(asks);
		await granted(core);
		const run = await core.submit("t2", { prompt: "npm test --prefix=/other" });
		const asked = await question(core, run, "npm test --prefix=/other");
		expect(asked.state).toBe("pending");
		await answer(core, asked, "deny");
		await core.settled(run);
	});

	it("is looked for with one statement a question, and without reading an intent", async () => {
		await using core = await Core.open(asks);
		const run = await core.submit("t1", { prompt: "npm test\nnpm run build" });
		const first = await question(core, run, "npm test");
		const executed = await executedIn(async () => {
			await answer(core, first, "allow_window");
			await question(core, run, "npm run build");
		});
		expect(executed.filter(({ sql }) => sql.includes("window_ends > @now"))).toHaveLength(1);
		expect(executed.filter(({ sql }) => /^SELECT.*\brecord\b/.test(sql))).toEqual([]);
		await answer(core, await question(core, run, "npm run build"), "deny");
		await core.settled(run);
	});

	it("says what it covers from the moment of the question, and its uses say which grant allowed them", async () => {
		await using core = await Core.open(asks);
		const asked = await granted(core);
		expect(asked).toMatchObject({ state: "pending", grantScope: { kind: "program", words: ["npm", "test"] }, windowSeconds: 900 });
		const run = await core.submit("t2", { prompt: "npm test a.test.ts" });
		expect((await core.settled(run)).output?.text).toBe("allow_once ");
		const use = await question(core, run, "npm test a.test.ts");
		const [grant] = await core.service.grants();
		expect(use).toMatchObject({
			decision: "allow_once",
			grant: { approvalId: asked.approvalId, decidedAt: grant?.decidedAt, windowSeconds: 900 },
		});
	});

	it("says who it was given to, and where its run works: it holds for nobody else and nowhere else", async () => {
		await using core = await Core.open(asks);
		const run = await core.submit("t1", { prompt: "npm test", remoteWorkingDirectoryHint: "/proj" });
		const asked = await question(core, run, "npm test");
		expect(asked.asker).toEqual({ target: "agent", providerId: "played", workingDirectory: "/proj" });
		await answer(core, asked, "allow_window");
		await core.settled(run);
		expect((await core.service.grants()).map(({ asker }) => asker)).toEqual([asked.asker]);
		const elsewhere = await core.submit("t2", { prompt: "npm test", remoteWorkingDirectoryHint: "/other" });
		const again = await question(core, elsewhere, "npm test");
		expect(again).toMatchObject({ state: "pending", asker: { workingDirectory: "/other" } });
		await answer(core, again, "deny");
		await core.settled(elsewhere);
		const own = await core.submit("t3", { prompt: "npm test" });
		const last = await question(core, own, "npm test");
		expect(last.asker).toEqual({ target: "agent", providerId: "played" });
		// A run that is left waiting would hold the core's end up for seconds.
		await answer(core, last, "deny");
		await core.settled(own);
	});

	it("that is revoked covers nothing from then on, also after the bridge was killed", async () => {
		await using core = await Core.open(asks);
		const { approvalId } = await granted(core);
		expect(await core.service.grants()).toMatchObject([{ approvalId }]);
		expect(await core.service.revokeGrant(approvalId)).toMatchObject({ applied: true, record: { revokedAt: expect.any(String) } });
		expect(await core.service.revokeGrant(approvalId)).toMatchObject({ applied: false });
		expect(await core.service.grants()).toEqual([]);
		const asked = async (turn: string) => {
			const run = await core.submit(turn, { prompt: "npm test" });
			const next = await question(core, run, "npm test");
			await answer(core, next, "deny");
			await core.settled(run);
			return next.state;
		};
		expect(await asked("t2")).toBe("pending");
		await core.crash();
		expect(await core.service.grants()).toEqual([]);
		expect(await asked("t3")).toBe("pending");
	});

	it("whose revocation finds no space on the disk covers nothing, and is listed as revoked until that is written", async () => {
		await using core = await Core.open(asks);
		const { approvalId } = await granted(core);
		vi.spyOn(core.store.approvals, "revokeGrant").mockRejectedValueOnce(Object.assign(new Error("full"), { code: "STORE_FULL" }));
		await expect(core.service.revokeGrant(approvalId)).rejects.toMatchObject({ code: "DISK_FULL" });
		expect(await core.service.grants()).toMatchObject([{ approvalId, revokedAt: expect.any(String) }]);
		const run = await core.submit("t2", { prompt: "npm test" });
		expect((await question(core, run, "npm test")).state).toBe("pending");
		await answer(core, await question(core, run, "npm test"), "deny");
		await core.settled(run);
		expect(await core.service.revokeGrant(approvalId)).toMatchObject({ applied: true });
		expect(await core.service.grants()).toEqual([]);
	});

	it("that holds is known after the bridge was killed, and still covers what it named", async () => {
		await using core = await Core.open(asks);
		const { approvalId, threadId } = await granted(core);
		await core.crash();
		expect(await core.service.grants(threadId)).toMatchObject([{ approvalId, grantScope: { kind: "program" } }]);
		const run = await core.submit("t2", { prompt: "npm test" });
		expect((await core.settled(run)).output?.text).toBe("allow_once ");
	});

	it("is of its thread and of the folder that its run worked in", async () => {
		await using core = await Core.open(asks);
		await granted(core);
		const run = await core.submit("t2", { prompt: "npm test", sessionId: "other", threadId: "other" });
		const next = await question(core, run, "npm test");
		expect(next.state).toBe("pending");
		await answer(core, next, "deny");
		await core.settled(run);
	});

	it("cannot be revoked where none was given", async () => {
		await using core = await Core.open(asks);
		const run = await core.submit("t1", { prompt: "npm test" });
		const asked = await question(core, run, "npm test");
		await expect(core.service.revokeGrant(asked.approvalId)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		await answer(core, asked, "allow_once");
		await core.settled(run);
		await expect(core.service.revokeGrant(asked.approvalId)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
	});

	it("that is revoked in the very moment of a request does not allow it", async () => {
		await using core = await Core.open(asks);
		const { approvalId } = await granted(core);
		const run = core.submit("t2", { prompt: "npm test" });
		const revoking = core.service.revokeGrant(approvalId);
		const [runId, { record }] = await Promise.all([run, revoking]);
		const use = await question(core, runId, "npm test");
		if (use.state === "decided") expect((use.decidedAt ?? "") <= (record.revokedAt ?? "")).toBe(true);
		else await answer(core, use, "deny");
		await core.settled(runId);
	});
});
