import {
	artifactScope,
	limits,
	MessageId,
	RunId,
	SessionId,
	type SessionUpdate,
	ThreadId,
	TurnId,
	type Update,
} from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { answerSoFar } from "../../src/threads/answer-so-far.ts";

const [threadId, runId] = [ThreadId.parse("thread-1"), RunId.parse("run-1")];
const ids = { threadId, runId, sessionId: SessionId.parse("thread-1"), turnId: TurnId.parse("turn-1") };

/** What the app has stored, in pages of two updates. */
function read(...updates: readonly Update[]) {
	const at = "2026-01-01T00:00:00.000Z";
	const shared = { ...ids, artifactScope: artifactScope(threadId, runId), at, status: "running" } as const;
	const all = updates.map((update, index): SessionUpdate => ({ ...shared, seq: index + 1, update }));
	return (afterSeq: number, limit: number) => all.filter(({ seq }) => seq > afterSeq).slice(0, Math.min(limit, 2));
}

const says = (messageId: string, text: string): Update => ({ kind: "message_delta", messageId: MessageId.parse(messageId), text });

it("is the last message that is not blank, whole although its pieces come in several pages", () => {
	expect(answerSoFar(read(says("m1", "First"), says("m2", " "), says("m2", "Half"), says("m2", " done"), says("m3", "\n")))).toEqual({
		text: " Half done",
		truncated: false,
		totalBytes: 10,
	});
	expect(answerSoFar(read(says("m1", " ")))).toBeUndefined();
});

it("is cut where an answer is, and never inside a character", () => {
	const answer = answerSoFar(read(says("m1", `x${"ü".repeat(limits.outputBytes / 2)}`)));
	expect([answer?.truncated, answer?.totalBytes]).toEqual([true, limits.outputBytes + 1]);
	expect(answer?.text.endsWith("ü")).toBe(true);
});
