import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approvals, decide } from "../../support/app/approvals.ts";
import { runCommand } from "../../support/app/command.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { receiptsOf } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const TRAIL = ["requested", "approved", "started", "succeeded"];
const event = `{ title: "Standup", start: "2026-12-01T09:00:00Z", end: "2026-12-01T09:15:00Z" }`;
const LIE = "I scheduled it, you will be reminded at 9.";

/** What the model does: it runs the program, then answers with the segments, then again if it is asked to. */
function prompt(program: string, ...answers: readonly (readonly object[])[]): string {
	const execute = `FAKE:TOOL execute ${JSON.stringify({ program })}`;
	return `Remind me tomorrow at 9.\n${[execute, ...answers.map((segments) => `ANSWER ${JSON.stringify(segments)}`)].join(" ;; ")}`;
}

const create = `return await tools.calendar.createEvent(${event});`;
const truth = [{ text: "Your reminder: " }, { receiptId: "$receipt(1)" }];
const lie = [{ text: LIE }];

const wires = {
	anthropic: (url: string) => ({ ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: url }),
	"openai chat": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1` }),
	"openai responses": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, XWORKMATE_OPENAI_WIRE: "responses" }),
};

describe.each(Object.entries(wires))("a reminder over %s", (wire, environment) => {
	// The loop and its checks are the same for all; of the second protocol of a maker, one turn shows it.
	const ofEachMaker = it.runIf(wire !== "openai responses");
	let model: FakeModel;
	let home: TemporaryHome;
	let bridge: BridgeProcess;
	beforeAll(async () => {
		model = await startFakeModel();
		home = await temporaryHome();
		bridge = await startBridge({ home, env: { ...environment(model.url), XWORKMATE_PARK_MS: "50" } });
	});
	afterAll(async () => {
		await bridge[Symbol.asyncDispose]();
		await home[Symbol.asyncDispose]();
		await model[Symbol.asyncDispose]();
	});

	let added: Promise<void> | undefined;
	/** For the first test that needs it, and those after it. */
	function addCalendar(): Promise<void> {
		added ??= runCommand(home, ["tools", "add", "calendar"]).then((end) => expect(end).toMatchObject({ code: 0 }));
		return added;
	}

	async function submit(text: string): Promise<string> {
		return TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt: text, providerId: "assistant" }))).runId;
	}

	function asked(): Promise<string> {
		return waitUntil(
			"the request for approval",
			20_000,
			async () => (await approvals(bridge.client(), { state: "pending" }))[0]?.approvalId,
		);
	}

	function end(runId: string): Promise<TaskSnapshot> {
		return waitUntil(`the end of ${runId}`, 30_000, async () => {
			const snapshot = await bridge.client().snapshot({ runId });
			return isOver(snapshot.status) ? snapshot : undefined;
		});
	}

	async function trail(runId: string): Promise<readonly string[]> {
		const receipts = await receiptsOf(bridge.client(), runId);
		return receipts.flatMap(({ type }) => (type.startsWith("tool.call.") ? [type.replace("tool.call.", "")] : []));
	}

	ofEachMaker("[T1-05] is not promised on a fresh home, where there is no tool for it", async () => {
		const runId = await submit(`Remind me tomorrow at 9.\nFAKE:ANSWER ${JSON.stringify(lie)} ;; ANSWER ${JSON.stringify(lie)}`);
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "replaced" } });
		expect(snapshot.output?.text).not.toContain(LIE);
	});

	it("[T1-64][T1-65][T1-93][T1-97] is said to be scheduled once the call succeeded, through a kill while it was asked", async () => {
		await addCalendar();
		const runId = await submit(prompt(create, truth));
		const approvalId = await asked();
		await bridge.kill("SIGKILL");
		await bridge.start();
		await decide(bridge.client(), approvalId, "allow_once");
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded", problems: [] } });
		expect(snapshot.output?.text).toContain("Standup");
		expect(snapshot).toMatchObject({ activity: { completed: 1, items: [{ status: "succeeded", toolId: "calendar.events.create" }] } });
		expect(await trail(runId)).toEqual(TRAIL);
	});

	ofEachMaker("[T1-39][T1-66][T1-96] is not said to be scheduled when it was denied, whatever the model says", async () => {
		await addCalendar();
		const runId = await submit(prompt(create, lie, lie));
		await decide(bridge.client(), await asked(), "deny");
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "replaced" } });
		expect(snapshot.output?.text).not.toContain(LIE);
		expect(snapshot).toMatchObject({ activity: { completed: 0, items: [{ status: "denied" }] } });
	});
});
