import { type Approval, type MethodResult, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { ApprovalAnswers } from "../../../src/cli/threads/approval-answers.ts";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import { decideApproval, listApprovals, showApproval } from "../../../src/cli/threads/thread-commands.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { until } from "../../support/until.ts";

const hash = "0123456789abcdef".repeat(4);
const typed = {
	toolId: ToolId.parse("calendar.event.delete"),
	risk: "destructive",
	toolHash: "f".repeat(64),
	inputHash: hash,
	words: "Delete “Standup”\u202e",
	toolKind: "other",
	grantScope: { kind: "tool", toolId: ToolId.parse("calendar.event.delete"), toolHash: "f".repeat(64) },
} as const;

/** A run with one request of a typed call, and what the bridge answers about it. */
async function asked(scene: CoreScene, more: Partial<Approval> = {}, input: string | undefined = '{"uid":"1","note":"a\\nb"}') {
	const run = held(scene.bridge);
	const sent = await scene.send("delete it");
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const approval = run()
		.offers("a1", undefined, { ...typed, secrets: ["CALDAV_PASSWORD"], ...more })
		.approvals.get("a1");
	if (approval === undefined) throw new Error("it was not asked");
	const shown: MethodResult<"xworkmate.approvals.get"> = { record: approval, ...(input !== undefined && { input }) };
	const api: Pick<AppApi, "approvalInput" | "listApprovals"> = { approvalInput: async () => shown, listApprovals: async () => [approval] };
	return { approval, api: api as AppApi };
}

async function linesOf(act: (output: { api: AppApi; console: RecordingConsole; json: boolean }) => Promise<unknown>, api: AppApi) {
	const console = new RecordingConsole();
	await act({ api, console, json: false });
	return console.lines;
}

const local = (at: string) => localTime(at, Date.now());

describe("approvals of a typed call", () => {
	it("shows its risk, tool, words, secrets, hash and the whole input, one field a line", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene);
		expect(await linesOf((output) => showApproval(output, approval.approvalId), api)).toEqual([
			`a1  pending until ${local("2999-01-01T00:00:00.000Z")}`,
			"  calendar.event.delete (destructive): Delete “Standup”\\u{202e}",
			`  thread ${approval.threadId}`,
			"  secrets: CALDAV_PASSWORD",
			"  input hash: 0123456789ab",
			`  full hash: ${hash}`,
			`  tool version: ${"f".repeat(64)}`,
			"  whole input:",
			"    {",
			'      "uid": "1",',
			'      "note": "a\\nb"',
			"    }",
		]);
	});

	it("says that the words are the tool's own claim, and that the user has not accepted its code", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { unaccepted: true });
		const lines = await linesOf((output) => showApproval(output, approval.approvalId), api);
		expect(lines[1]).toBe("  calendar.event.delete (destructive): The tool says: Delete “Standup”\\u{202e}");
		expect(lines[3]).toBe(
			"  You haven’t accepted this version of the tool. Allowing this call runs its code once. It doesn’t accept the tool.",
		);
	});

	it("says of code that is no longer in use that the call can only be denied, and offers nothing else", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { toolChanged: true, options: ["deny"] });
		const said =
			"  The tool has changed or was removed after this request. This call can’t run unless that is undone, so for now you can only deny it.";
		expect(await linesOf((output) => showApproval(output, approval.approvalId), api)).toContain(said);
		const lines = await linesOf(listApprovals, api);
		expect(lines).toContain(said);
		expect(lines.join("\n")).not.toMatch(/allow/i);
	});

	it("says of a tool that the user's rule denies that the call can only be denied", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { forbidden: true, options: ["deny"] });
		expect(await linesOf((output) => showApproval(output, approval.approvalId), api)).toContain(
			"  Your rule denies all calls to this tool. This call can’t run unless you change the rule, so for now you can only deny it.",
		);
		expect((await linesOf(listApprovals, api)).join("\n")).not.toMatch(/allow/i);
	});

	it("says nothing of acceptance once it is answered", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { unaccepted: true, state: "decided", decision: "allow_once", decidedBy: "person" });
		const lines = await linesOf((output) => showApproval(output, approval.approvalId), api);
		expect(lines.join("\n")).not.toContain("accepted");
	});

	it.for([
		[{ state: "decided", decision: "deny", decidedBy: "discord:ann" }, "Denied by ann on Discord"],
		[{ state: "decided", decision: "allow_once", decidedBy: "person" }, "Allowed once by you"],
		[{ state: "decided", decision: "allow_window", decidedBy: "person" }, "Allowed by you with a 15-minute permission"],
		[{ state: "expired", reason: "expired" }, "Expired, denied automatically"],
		[{ state: "withdrawn", reason: "withdrawn" }, "Not answered: the request was withdrawn"],
		[{ state: "withdrawn", reason: "run_ended" }, "Not answered: the run ended first"],
		[{ state: "decided", decision: "deny", decidedBy: "bridge", reason: "unattended" }, "Denied: the run was unattended"],
	] as const)("says how a request ended, by whom and why: %j", async ([outcome, words], { expect }) => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { ...outcome, decidedAt: "2026-01-01T00:00:00.000Z" });
		const lines = await linesOf((output) => showApproval(output, approval.approvalId), api);
		expect(lines).toContain(`  ${words}, at ${local("2026-01-01T00:00:00.000Z")}`);
	});

	it("says of a permission for a time that it was revoked", async () => {
		await using scene = await CoreScene.open();
		const given = { state: "decided", decision: "allow_window", decidedBy: "person", decidedAt: "2026-01-01T00:00:00.000Z" } as const;
		const { api, approval } = await asked(scene, { ...given, revokedAt: "2026-01-01T00:01:00.000Z" });
		const lines = await linesOf((output) => showApproval(output, approval.approvalId), api);
		expect(lines).toContain(`  Revoked at ${local("2026-01-01T00:01:00.000Z")}`);
	});

	it("says where the whole input is, if the bridge does not have it", async () => {
		await using scene = await CoreScene.open();
		const gone = await asked(scene, { input: { text: '{"uid":', truncated: true } }, undefined);
		const { toolId: _toolId, risk: _risk, ...agents } = { ...gone.approval, input: { text: "ls", truncated: false } };
		const api = { ...gone.api, approvalInput: async () => ({ record: agents }) };
		const none = { ...gone.api, approvalInput: async () => ({ record: gone.approval }) };
		const id = gone.approval.approvalId;
		expect((await linesOf((output) => showApproval(output, id), none)).slice(-2)).toEqual([
			"  input (7 B of it; the whole input is no longer stored):",
			'    {"uid":',
		]);
		expect((await linesOf((output) => showApproval(output, id), api)).slice(-2)).toEqual(["  input (complete):", "    ls"]);
	});

	it("lists the tool, its risk, its words and what a permission covers, and says so again where the run waits", async () => {
		await using scene = await CoreScene.open();
		const { api, approval } = await asked(scene, { input: { text: '{"uid":"1"}', truncated: false } });
		const lines = await linesOf(listApprovals, api);
		expect(lines[0]).toBe(`a1  until ${local("2999-01-01T00:00:00.000Z")}  calendar.event.delete (destructive): Delete “Standup”\\u{202e}`);
		expect(lines).toContain("  input hash: 0123456789ab");
		expect(lines).toContain("  allow-window: calls to calendar.event.delete in this thread for 15 min, or until the tool's code changes");
		const console = new RecordingConsole();
		await new ApprovalAnswers({ console, mode: "ask", canAsk: false, decide: api.decideApproval }).see(approval);
		expect(console.notes.slice(0, 4)).toEqual([
			"Approval needed: calendar.event.delete (destructive): Delete “Standup”\\u{202e}",
			"  secrets: CALDAV_PASSWORD",
			"  input hash: 0123456789ab",
			'  input: {"uid":"1"}',
		]);
	});

	it("answers it, and says why an answer did not count", async () => {
		await using scene = await CoreScene.open();
		const { approval } = await asked(scene);
		expect(await linesOf((output) => decideApproval(output, approval.approvalId, "deny"), scene.api)).toEqual(["Answered: denied."]);
		expect(await linesOf((output) => decideApproval(output, approval.approvalId, "allow_once"), scene.api)).toEqual([
			"Already answered: denied.",
		]);
	});
});

describe("what a run asks of the bridge's own programs", () => {
	it("is sent with the turn, the same at every repeat, also after a restart of the app", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.fault = ({ method }) => (method.startsWith("session.") ? { kind: "destroy" } : undefined);
		const toolPolicy = { [ToolId.parse("calendar.event.delete")]: "deny" as const };
		const context = {
			console: new RecordingConsole(),
			onInterrupt: () => () => {},
			withApp: <T>(use: (api: AppApi) => Promise<T>) => use(scene.api),
		};
		const flags = { target: "agent", require: [], attach: [], approve: "none", detach: true, toolPolicy, unattended: true } as const;
		const left = runCommand(context, "go", flags);
		const submits = () => scene.bridge.calls.filter(({ method }) => method.startsWith("session."));
		await until("it was sent twice", () => submits().length >= 2);
		await scene.restart(() => {
			scene.bridge.fault = () => undefined;
		});
		await until("the run is there", () => scene.bridge.runs.length === 1);
		await left.catch(() => undefined);
		const sent = submits().map(({ params }) => params.metadata);
		expect(new Set(sent.map((metadata) => JSON.stringify(metadata))).size).toBe(1);
		expect(sent[0]).toMatchObject({ xworkmateAssistant: { toolPolicy, unattended: true } });
	});

	it("is nothing unless it was set", async () => {
		await using scene = await CoreScene.open();
		await scene.end(await scene.send("go"));
		expect(scene.bridge.calls.find(({ method }) => method === "session.start")?.params.metadata).not.toHaveProperty("xworkmateAssistant");
	});
});
