import { describe, expect, it } from "vitest";
import * as contracts from "../src/index.ts";
import { methods, openClawMethods } from "../src/index.ts";
import { pins } from "./closed-set-pins.ts";

/** Error codes by their JSON-RPC number. */
const errorNumbers: Readonly<Record<number, readonly string[]>> = {
	[-32700]: ["PARSE_ERROR"],
	[-32600]: ["INVALID_REQUEST", "METHOD_NOT_ALLOWED", "UNSUPPORTED_MEDIA_TYPE"],
	[-32601]: ["METHOD_NOT_FOUND"],
	[-32602]: [
		"INVALID_PARAMS",
		"ROUTING_REQUIRED",
		"WORKING_DIRECTORY_REFUSED",
		"FORBIDDEN_PATH",
		"SEQ_AHEAD",
		"STREAM_REQUIRED",
		"RANGE_NOT_SATISFIABLE",
		"CREDENTIAL_INVALID",
		"SCHEDULE_INVALID",
		"RECIPIENT_REQUIRED",
		"RECIPIENT_UNKNOWN",
		"CONTENT_INVALID",
	],
	[-32603]: ["INTERNAL"],
	[-32001]: ["UNAUTHENTICATED"],
	[-32003]: ["FORBIDDEN_HOST", "FORBIDDEN_ORIGIN"],
	[-32004]: ["NOT_FOUND", "SESSION_NOT_FOUND", "PROVIDER_NOT_FOUND", "RUN_EXPIRED", "TOOL_NOT_FOUND", "AGENT_NOT_FOUND"],
	[-32009]: [
		"TURN_CONFLICT",
		"SESSION_CONFLICT",
		"SCOPE_MISMATCH",
		"SESSION_CLOSED",
		"THREAD_BUSY",
		"FOLDER_NOT_REMOVED",
		"RUN_NOT_TERMINAL",
		"ARTIFACT_CHANGED",
		"PROVIDER_AMBIGUOUS",
		"TOOL_CHANGED",
		"CREDENTIAL_KNOWN",
		"ACCOUNT_EXISTS",
		"ACCOUNTS_DAMAGED",
		"AGENT_BUSY",
		"AGENT_REFUSED",
		"PLAN_CONFLICT",
		"REVISION_CONFLICT",
		"PAYLOAD_CHANGED",
		"NOTHING_TO_SEND",
		"EDITS_UNAVAILABLE",
		"EDITS_CONFLICT",
		"EDITS_CHANGED",
		"REPOSITORY_REFUSED",
	],
	[-32010]: ["QUEUE_FULL", "RATE_LIMITED", "PLAN_LIMIT"],
	[-32011]: [
		"PROVIDER_UNAVAILABLE",
		"GATEWAY_UNAVAILABLE",
		"BRIDGE_STARTING",
		"CHANNEL_UNAVAILABLE",
		"EXTRACTION_UNAVAILABLE",
		"GIT_FAILED",
	],
	[-32012]: ["DISK_FULL", "DATABASE_DAMAGED"],
	[-32013]: ["PAYLOAD_TOO_LARGE"],
};

describe("the closed sets", () => {
	it.each(Object.entries(pins))("%s is exactly as the contract words it", (name, values) => {
		const schema = Object.entries(contracts).find(([exported]) => exported === name)?.[1];
		expect(schema).toHaveProperty("options", values);
	});

	it("[T4-65] has four lifecycle statuses", () => {
		expect(contracts.LifecycleStatus.options).toEqual(["ready", "queued", "running", "archived"]);
	});

	it("[T2-17] [T2-18] [T2-90] has the statuses of a plan and of a message, as types that all share", () => {
		const { Plan, WorkItem, DeliveryAction, PlanStatus, DeliveryStatus } = contracts;
		expect(PlanStatus.options.toSorted()).toEqual(["completed", "deleted", "failed", "needs_review", "paused", "pending", "running"]);
		expect(DeliveryStatus.options).toEqual(expect.arrayContaining(["pending", "completed", "failed", "needs_review"]));
		expect([Plan.shape.status, DeliveryAction.shape.status, Plan.shape.work.element]).toEqual([PlanStatus, DeliveryStatus, WorkItem]);
	});

	it("[T4-67] has eight artifact sync statuses", () => {
		expect(contracts.ArtifactSyncStatus.options).toHaveLength(8);
	});

	it("has the codes of a failed run, and OpenClaw's own", () => {
		expect(contracts.FailedCode.options[0].options).toEqual([
			"PROVIDER_ERROR",
			"PROVIDER_EXITED",
			"PROVIDER_AUTH_REQUIRED",
			"PROVIDER_LIMITED",
			"PROVIDER_NOT_FOUND",
			"NO_OUTPUT",
			"REFUSED",
			"SCRIPT_INVALID",
			"SCRIPT_ERROR",
			"TOOL_FAILED",
			"RESUME_MISMATCH",
			"LIMIT_EXCEEDED",
			"DISK_FULL",
			"INTERNAL",
		]);
	});

	it("[T4-66] has the thread's result codes", () => {
		expect(contracts.ResultCode.options[0].options).toEqual([
			"success",
			"failed",
			"aborted",
			"artifact_missing",
			"interrupted",
			"ACP_HTTP_CONNECT_FAILED",
			"ACP_HTTP_CONNECTION_CLOSED",
		]);
		expect(contracts.ResultCode.safeParse("ACP_HTTP_502").success).toBe(true);
		expect(contracts.ResultCode.safeParse("OPENCLAW_GATEWAY_QUEUE_FULL").success).toBe(true);
	});

	it("has one update kind for every form of an update", () => {
		expect(contracts.Update.options.map((form) => form.shape.kind.value)).toEqual(contracts.UpdateKind.options);
	});

	it("has each terminal status, and no other, as terminal", () => {
		expect(contracts.RunStatus.options.filter(contracts.isTerminal)).toEqual(contracts.TerminalStatus.options);
	});

	it("has these methods", () => {
		expect(Object.entries(methods).map(([name, { streams, effects }]) => [name, streams, effects])).toEqual([
			["acp.capabilities", false, false],
			["xworkmate.routing.resolve", false, false],
			["session.start", true, true],
			["session.message", true, true],
			["session.cancel", false, true],
			["session.close", false, true],
			["xworkmate.tasks.get", false, false],
			["xworkmate.tasks.input", false, false],
			["xworkmate.tasks.cancel", false, true],
			["xworkmate.tasks.list", false, false],
			["xworkmate.tasks.subscribe", true, false],
			["xworkmate.changes.subscribe", true, false],
			["xworkmate.approvals.list", false, false],
			["xworkmate.approvals.decide", false, true],
			["xworkmate.approvals.grants", false, false],
			["xworkmate.approvals.revoke", false, true],
			["xworkmate.approvals.get", false, false],
			["xworkmate.providers.test", false, true],
			["xworkmate.threads.delete", false, true],
			["xworkmate.threads.folders", false, false],
			["xworkmate.receipts.list", false, false],
			["xworkmate.receipts.get", false, false],
			["xworkmate.receipts.verify", true, false],
			["xworkmate.activity.get", false, false],
			["xworkmate.tools.list", false, false],
			["xworkmate.tools.reload", false, true],
			["xworkmate.tools.accept", false, true],
			["xworkmate.tools.add", false, true],
			["xworkmate.tools.new", false, true],
			["xworkmate.tools.sources", false, false],
			["xworkmate.tools.policy", false, true],
			["xworkmate.auth.list", false, false],
			["xworkmate.auth.set", false, true],
			["xworkmate.auth.order", false, true],
			["xworkmate.auth.remove", false, true],
			["xworkmate.auth.test", false, true],
			["xworkmate.agents.list", false, false],
			["xworkmate.agents.install", false, true],
			["xworkmate.agents.update", false, true],
			["xworkmate.agents.cancel", false, true],
			["xworkmate.agents.remove", false, true],
			["xworkmate.agents.test", false, true],
			["xworkmate.agents.check", false, true],
			["xworkmate.agents.signIn", false, true],
			["xworkmate.agents.terminal", false, false],
			["xworkmate.operators.list", false, false],
			["xworkmate.settings.list", false, false],
			["xworkmate.plans.create", false, true],
			["xworkmate.plans.extract", false, false],
			["xworkmate.plans.update", false, true],
			["xworkmate.plans.get", false, false],
			["xworkmate.plans.list", false, false],
			["xworkmate.plans.occurrences", false, false],
			["xworkmate.plans.updates", false, false],
			["xworkmate.plans.schedule", false, false],
			["xworkmate.plans.run", false, true],
			["xworkmate.plans.pause", false, true],
			["xworkmate.plans.resume", false, true],
			["xworkmate.plans.delete", false, true],
			["xworkmate.plans.cancel", false, true],
			["xworkmate.plans.preview", false, false],
			["xworkmate.plans.review", false, true],
			["xworkmate.plans.settle", false, true],
			["xworkmate.plans.resend", false, true],
			["xworkmate.plans.subscribe", true, false],
			["xworkmate.channels.list", false, false],
			["xworkmate.channels.configure", false, true],
			["xworkmate.channels.remove", false, true],
			["xworkmate.channels.test", false, true],
			["xworkmate.contacts.list", false, false],
			["xworkmate.contacts.put", false, true],
			["xworkmate.contacts.remove", false, true],
			["xworkmate.inbox.list", false, false],
			["xworkmate.inbox.mark", false, true],
			["xworkmate.edits.list", false, false],
			["xworkmate.edits.diff", false, false],
			["xworkmate.edits.apply", false, true],
			["xworkmate.edits.discard", false, true],
			["xworkmate.edits.commit", false, true],
		]);
		expect(contracts.isMethodName("toString")).toBe(false);
	});

	it("has the error codes under their numbers", () => {
		const byNumber = Map.groupBy(Object.entries(contracts.errorCatalogue), ([, { number }]) => number);
		const actual = Object.fromEntries([...byNumber].map(([number, entries]) => [number, entries.map(([code]) => code).sort()]));
		const expected = Object.fromEntries(Object.entries(errorNumbers).map(([number, codes]) => [number, [...codes].sort()]));
		expect(actual).toEqual(expected);
	});

	it("has these limits", () => {
		expect(contracts.limits).toMatchObject({
			bodyBytes: 41_943_040,
			bodyDepth: 64,
			bodyMembers: 50_000,
			bodyStringBytes: 20_000_000,
			attachmentBytes: 10_485_760,
			attachmentsBytes: 26_214_400,
			outputBytes: 262_144,
			snapshotItems: 200,
			previewBytes: 16_384,
			readerLagBytes: 1_048_576,
			heartbeatMs: 15_000,
			listDefault: 50,
			listMax: 200,
			missedTimes: 1_440,
			receiptProblems: 1_000,
			answerProblems: 100,
			approvalMs: 900_000,
			cancelConfirmMs: 30_000,
			cancelDeadlineMs: 300_000,
			stopMs: 5_000,
			failedAuthPerMinute: 20,
			recoveryMs: 600_000,
			pollMs: 30_000,
			unresolvedAskMs: 600_000,
			unresolvedKeepMs: 604_800_000,
		});
	});

	it("gives each method of the OpenClaw plugin the least scope it needs", () => {
		const scopes = Object.fromEntries(Object.entries(openClawMethods).map(([name, { scope }]) => [name, scope]));
		expect(scopes).toEqual({
			"xworkmate.session.prepare": "operator.write",
			"xworkmate.session.release": "operator.write",
			"xworkmate.tasks.get": "operator.read",
			"xworkmate.tasks.cancel": "operator.write",
			"xworkmate.artifacts.collect-and-snapshot": "operator.write",
			"xworkmate.artifacts.export": "operator.read",
			"xworkmate.artifacts.read": "operator.read",
			"xworkmate.approvals.list": "operator.read",
			"xworkmate.approvals.answer": "operator.write",
			"xworkmate.doctor": "operator.read",
		});
	});

	it("leaves no set of words unpinned", () => {
		const elsewhere = ["ErrorCode"];
		const enums = Object.entries(contracts).flatMap(([name, value]) => (value instanceof Object && "enum" in value ? [name] : []));
		expect(enums.filter((name) => !(name in pins) && !elsewhere.includes(name))).toEqual([]);
	});
});
