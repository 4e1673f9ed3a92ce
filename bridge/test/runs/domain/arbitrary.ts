import type { Approval, ApprovalId, ProviderId, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { artifactScope, openArtifactContract } from "@xworkmate/contracts";
import fc from "fast-check";
import { timestamp } from "../../../src/ports/clock.ts";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { initialState } from "../../../src/runs/domain/run-state.ts";

const runId = "run_1" as RunId;
const threadId = "thread" as ThreadId;

export const provider = { target: "agent", providerId: "script" as ProviderId } as const;

export const record: RunRecord = {
	runId,
	threadId,
	sessionId: "thread" as SessionId,
	turnId: "turn" as TurnId,
	provider,
	artifactScope: artifactScope(threadId, runId),
	createdAt: timestamp(0),
	inputHash: "0".repeat(64),
	input: { prompt: "do it", artifactContract: openArtifactContract, attachments: [], fresh: true },
	budgetMs: 60_000,
};

function approval(approvalId: string): Approval {
	return {
		approvalId: approvalId as ApprovalId,
		runId,
		threadId,
		title: "write a file",
		toolKind: "edit",
		inputHash: "0".repeat(64),
		options: ["allow_once", "deny"],
		requestedAt: timestamp(0),
		expiresAt: timestamp(900_000),
		state: "pending",
	};
}

const approvalId = fc.constantFrom("a1", "a2", "a3");
const messageId = fc.constantFrom("m1", "m2");
const text = fc.constantFrom("", " ", "hello", "\n", "über 🙂");

/** Any command, in any order: most sequences make no sense, and none may break a promise. */
export const command: fc.Arbitrary<RunCommand> = fc.oneof(
	fc.constant<RunCommand>({ type: "accept" }),
	fc.record({ type: fc.constant("move_in_queue" as const), position: fc.integer({ min: 1, max: 3 }), length: fc.constant(3) }),
	fc.constant<RunCommand>({ type: "start", budgetMs: 60_000 }),
	fc.constant<RunCommand>({ type: "show_progress", progress: { stage: "working" } }),
	fc.record({ messageId, text }).map((said): RunCommand => ({ type: "say", update: { kind: "message_delta", ...said } })),
	approvalId.map((id): RunCommand => ({ type: "ask", record: approval(id) })),
	fc.record({
		type: fc.constant("answer" as const),
		approvalId,
		decision: fc.constantFrom("allow_once" as const, "deny" as const, "allow_window" as const),
		decidedBy: fc.constant("person"),
		windowSeconds: fc.constant(900),
	}),
	fc.record({ type: fc.constant("expire" as const), approvalId }),
	fc.constant<RunCommand>({ type: "cancel" }),
	fc.constant<RunCommand>({ type: "shorten_deadline" }),
	fc.constant<RunCommand>({ type: "give_back", milliseconds: 60_000 }),
	fc.constantFrom<RunCommand>(
		{ type: "end_provider", outcome: { kind: "ended" } },
		{ type: "end_provider", outcome: { kind: "cancelled", remote: false } },
		{ type: "end_provider", outcome: { kind: "failed", code: "PROVIDER_ERROR", message: "no" } },
	),
	fc
		.integer({ min: 0, max: 2 })
		.map((count): RunCommand => ({ type: "accept_artifacts", artifacts: { ...initialState.artifacts, count } })),
	fc.constantFrom<RunCommand>(
		{ type: "conclude", provider },
		{ type: "conclude", provider, breach: { code: "NO_EXPORTED_ARTIFACTS", message: "nothing there" } },
	),
	fc.constant<RunCommand>({ type: "interrupt", code: "BRIDGE_RESTARTED", message: "restarted" }),
);
