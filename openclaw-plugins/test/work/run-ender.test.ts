import { openClawWorkUnknown } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { followRun } from "../../src/hooks/follow-run.ts";
import { GatewayWork } from "../../src/work/gateway-work.ts";
import { fakeTasks } from "../support/fake-tasks.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

const { runId, sessionKey } = runRef(1);
const child = "agent:main:subagent:one";
const lifecycle = (data: object) => ({ runId, sessionKey, stream: "lifecycle", data });
const aborted = lifecycle({ phase: "end", status: "cancelled", aborted: true });

async function runningRun() {
	const rig = await pluginRig();
	const tasks = fakeTasks();
	rig.prepare(runRef(1));
	followRun(lifecycle({ phase: "start" }), tasks, rig);
	const record = () => rig.registry.require(runRef(1));
	return {
		...rig,
		tasks,
		record,
		follow: (event: unknown) => followRun(event, tasks, rig),
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
}

describe("a run that is stopped", () => {
	it("has ended once its background command has, by the gateway's word, and the first end wins meanwhile", async () => {
		await using run = await runningRun();
		run.tasks.add({ id: "build", owner: sessionKey, title: "make all" });
		run.follow(aborted);
		await run.tasks.cancelled("build");
		run.follow(lifecycle({ phase: "end", terminalReply: { text: "done" } }));
		run.follow(lifecycle({ phase: "error", error: "aborted" }));
		expect(run.record().state).toBe("running");
		run.tasks.confirm("build");
		await expect.poll(() => run.record().state).toBe("cancelled");
		expect(run.record()).not.toHaveProperty("atWork");
		expect(run.tasks.asked).toEqual(["build"]);
	});

	it("ends what its sub-agents started too, also those that have ended", async () => {
		await using run = await runningRun();
		run.tasks.add({ id: "agent", owner: sessionKey, title: "look it up", runId: "r", childSessionKey: child, status: "succeeded" });
		run.tasks.add({ id: "other", owner: child, title: "and that", runId: "s", childSessionKey: "agent:main:subagent:two" });
		run.tasks.add({ id: "serve", owner: child, title: "npm start" });
		run.tasks.add({ id: "deep", owner: "agent:main:subagent:two", title: "sleep 9" });
		run.follow(aborted);
		await Promise.all(["other", "serve", "deep"].map((id) => run.tasks.cancelled(id)));
		for (const id of ["serve", "deep"]) run.tasks.confirm(id);
		await expect.poll(() => run.record().state).toBe("cancelled");
	});

	it("leaves alone what an earlier run of the conversation started, and what another conversation did", async () => {
		await using run = await runningRun();
		run.tasks.add({ id: "earlier", owner: sessionKey, title: "npm run dev", createdAt: Date.parse(run.record().preparedAt) - 1 });
		run.tasks.add({ id: "other", owner: runRef(2, 2).sessionKey, title: "theirs" });
		run.follow(aborted);
		await expect.poll(() => run.record().state).toBe("cancelled");
		expect(run.tasks.asked).toEqual([]);
	});

	it("names what could not be ended in time, also when the gateway reports its end as a failure", async () => {
		for (const end of [{ state: "cancelled" }, { state: "failed", error: "aborted" }] as const) {
			await using run = await runningRun();
			run.registry.change(runId, { kind: "cancel_requested" });
			run.tasks.add({ id: "build", owner: sessionKey, title: "make all" });
			run.tasks.add({ id: "agent", owner: sessionKey, title: "stubborn helper", runId: "r", childSessionKey: child });
			const ended = await run.ender.end(run.record(), { kind: "ended", ...end }, new GatewayWork(run.tasks, 100));
			expect(ended).toMatchObject({ state: end.state, atWork: ["make all", "stubborn helper"] });
		}
	});

	it("is not taken for ended when the gateway's tasks cannot be listed", async () => {
		await using run = await runningRun();
		const runtime = {
			...run.tasks.runtime,
			tasks: { runs: { bindSession: () => ({ list: () => "nonsense", cancel: async () => ({}) }) } },
		};
		const work = new GatewayWork({ ...run.tasks, runtime }, 100);
		const ended = await run.ender.end(run.record(), { kind: "ended", state: "cancelled" }, work);
		expect(ended?.atWork).toEqual([openClawWorkUnknown]);
		expect(run.tasks.warnings).not.toEqual([]);
	});
});

describe("a run that ends by itself", () => {
	it("ends at once and names what it leaves running, except the media that its collection waits for", async () => {
		await using run = await runningRun();
		run.tasks.add({ id: "serve", owner: sessionKey, title: "npm start" });
		run.tasks.add({ id: "done", owner: sessionKey, title: "true", status: "succeeded" });
		run.tasks.add({ id: "picture", owner: sessionKey, title: "a cat", runId: "image" });
		run.registry.addBackgroundTask(runId, "picture");
		run.follow(lifecycle({ phase: "end", terminalReply: { text: "done" } }));
		expect(run.record()).toMatchObject({ state: "completed", atWork: ["npm start"] });
		expect(run.tasks.asked).toEqual([]);
	});
});
