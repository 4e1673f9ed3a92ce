import { describe, it } from "vitest";
import { decide, question } from "../support/app/approvals.ts";
import { settle } from "../support/bridge/settle.ts";
import { processesNaming } from "../support/machine/live-processes.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { gatewayTurn, requestsAbout, suiteGateway, TURN_BOUND_MS, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";
import type { EventStream } from "../support/wire/event-stream.ts";
import { TaskSnapshot } from "../support/wire/wire.ts";

const client = useGatewayBridge({ XWORKMATE_ALLOW_PROVIDERS: "" });

async function cancel(runId: string): Promise<TaskSnapshot> {
	return TaskSnapshot.parse(await client.rpc("xworkmate.tasks.cancel", { runId }));
}

const begun = (stream: EventStream) => stream.until("a running update", ({ status }) => status === "running", TURN_BOUND_MS);

/** Waits until the model was asked by the turn that says these words. */
function modelAsked(words: string): Promise<true> {
	return waitUntil(`the model to be asked about ${words}`, TURN_BOUND_MS, async () =>
		(await requestsAbout(words)).length > 0 ? true : undefined,
	);
}

describe.concurrent("[T4-19] [T4-60] confirms a cancel", () => {
	it("at the first sign of the run", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:SLOW 60"), {
			during: async (stream) => void (await cancel((await begun(stream)).runId)),
		});
		expect(snapshot).toMatchObject({ status: "cancelled", success: false });
		expect(snapshot).not.toHaveProperty("code");
	});

	it("while the model hangs", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:HANG never-answered"), {
			during: async (stream) => {
				const { runId } = await begun(stream);
				await modelAsked("never-answered");
				await cancel(runId);
			},
		});
		expect(snapshot.status).toBe("cancelled");
	});

	it("while the model talks", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:SLOW 61"), {
			during: async (stream) => {
				const { runId } = await stream.until("words", ({ update }) => update.kind === "message_delta", TURN_BOUND_MS);
				await cancel(runId);
			},
		});
		expect(snapshot.status).toBe("cancelled");
	});

	it("while a tool runs, whose process is ended", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:RUN exec sleep 4242"), {
			during: async (stream) => {
				await decide(client, (await question(stream, 1, TURN_BOUND_MS)).approvalId, "allow_once");
				const sleeping = async () => (await processesNaming(suiteGateway().place.folder)).filter(({ command }) => command === "sleep 4242");
				await waitUntil("the tool's process", 20_000, async () => ((await sleeping()).length > 0 ? true : undefined));
				await cancel(stream.updates[0]?.runId ?? "");
				await waitUntil("the end of the tool's process", 10_000, async () => ((await sleeping()).length === 0 ? true : undefined));
			},
		});
		expect(snapshot.status).toBe("cancelled");
	});

	it("while a person is asked, and withdraws the question", async ({ expect }) => {
		const { snapshot, updates } = await settle(client, gatewayTurn("FAKE:RUN touch $XWORKMATE_ARTIFACT_DIRECTORY/never ;; SAY done"), {
			during: async (stream) => {
				const { approvalId, runId } = await question(stream, 1, TURN_BOUND_MS);
				await cancel(runId);
				expect(await decide(client, approvalId, "allow_once")).toMatchObject({ applied: false, record: { state: "withdrawn" } });
			},
		});
		expect(snapshot).toMatchObject({ status: "cancelled", artifacts: { count: 0 } });
		expect(updates.flatMap(({ update }) => (update.kind === "approval" ? [update.state] : []))).toEqual(["pending", "withdrawn"]);
	});

	it("of a turn that waits for another of its thread", async ({ expect }) => {
		const first = await client.stream("session.start", gatewayTurn("FAKE:SLOW 62"));
		const { runId, threadId } = await begun(first);
		const next = gatewayTurn("FAKE:SAY never said", { threadId });
		const { snapshot } = await settle(client, next, {
			method: "session.message",
			during: async (stream) => {
				const queued = await stream.until("a queued update", ({ status }) => status === "queued");
				await cancel(queued.runId);
			},
		});
		expect(snapshot.status).toBe("cancelled");
		await cancel(runId);
		expect(await first.ended).toMatchObject({ kind: "response", snapshot: { status: "cancelled" } });
		expect(await requestsAbout("never said")).toEqual([]);
	});

	it("once files are collected keeps the result", async ({ expect }) => {
		const write = "for n in $(seq 1 400); do head -c 5000 /dev/zero > $XWORKMATE_ARTIFACT_DIRECTORY/$n.bin; done";
		const { snapshot } = await settle(client, gatewayTurn(`FAKE:RUN ${write} ;; SAY done`), {
			during: async (stream) => {
				await decide(client, (await question(stream, 1, TURN_BOUND_MS)).approvalId, "allow_once");
				await cancel((await stream.untilStage("collecting", TURN_BOUND_MS)).runId);
			},
		});
		expect(snapshot).toMatchObject({ status: "completed", artifacts: { count: 400 } });
	});
});

describe.concurrent("asks a person about a tool call that acts", () => {
	it.for([
		["allow_once", 1],
		["deny", 0],
	] as const)("%s", async ([decision, count], { expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:RUN printf yes > $XWORKMATE_ARTIFACT_DIRECTORY/a.txt ;; SAY went on"), {
			during: async (stream) => {
				const asked = await question(stream, 1, TURN_BOUND_MS);
				expect(JSON.stringify(asked)).toContain("a.txt");
				expect(await decide(client, asked.approvalId, decision)).toMatchObject({ applied: true });
			},
		});
		expect(snapshot).toMatchObject({ status: "completed", output: { text: "went on" }, artifacts: { count } });
	});

	it("but not about a file written into the run's own scope", async ({ expect }) => {
		const { snapshot, updates } = await settle(client, gatewayTurn("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/a.txt free ;; SAY done"));
		expect(snapshot).toMatchObject({ status: "completed", artifacts: { count: 1 } });
		expect(updates.filter(({ update }) => update.kind === "approval")).toEqual([]);
	});

	it("also about a file written outside of it", async ({ expect }) => {
		const outside = `${suiteGateway().workspace}/outside.txt`;
		const { snapshot } = await settle(client, gatewayTurn(`FAKE:WRITE ${outside} bold ;; SAY done`), {
			during: async (stream) => void (await decide(client, (await question(stream, 1, TURN_BOUND_MS)).approvalId, "deny")),
		});
		expect(snapshot).toMatchObject({ status: "completed", artifacts: { count: 0 } });
	});
});
