import { Approval, Artifact, type DeliveryAction, type ProviderId, Redaction, RunId, type ToolCall } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { workResult } from "../../../src/plans/work/work-result.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { toSnapshot } from "../../../src/runs/domain/run-view.ts";
import { runEvidence } from "../../../src/runs/domain/unverified-claims.ts";
import { record } from "../../runs/domain/arbitrary.ts";
import { play } from "../../runs/domain/played-turn.ts";

const runId = RunId.parse("run-1");
const CLAIM = "I sent the mail to anna@example.org.";
const command = (text: string) => ({ input: { text: JSON.stringify({ command: text }), truncated: false } });
const report = (call: Partial<ToolCall>): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId: "c1", title: CLAIM, toolKind: "execute", state: "completed", ...call } as never,
	reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
});
const note = Artifact.parse({
	...{ relativePath: "notes.txt", sizeBytes: 3, sha256: "0".repeat(64), mediaType: "text/plain" },
	...{ modifiedAt: "2026-11-23T10:00:00.000Z", artifactRef: "/artifacts/run-1/notes.txt" },
});

/** A request about another call, and what became of it. */
function asked(decision?: "allow_once" | "deny"): readonly RunCommand[] {
	const record = Approval.parse({
		...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c2", title: "ls", toolKind: "execute" },
		...{ asker: { target: "agent", providerId: "codex" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending" },
	});
	const { approvalId } = record;
	const ends: RunCommand =
		decision === undefined
			? { type: "withdraw", approvalId }
			: { type: "answer", approvalId, decision, decidedBy: "person", windowSeconds: 900 };
	return [{ type: "ask", record }, ends];
}

/** The sentences of a message that nothing backs, with the reasons, after a run that reported these calls. */
async function unbacked(
	message: string,
	calls: readonly RunCommand[],
	{ around = "", target = "agent" as "agent" | "gateway", seen = [] as readonly string[] } = {},
) {
	const answer = `${around}\n<deliverable>\n${message}\n</deliverable>\n`;
	const provider = { target, providerId: "codex" as ProviderId };
	const { state } = play(
		...calls,
		{ type: "say", update: { kind: "message_delta", messageId: "m", text: answer } },
		{ type: "end_provider", outcome: { kind: "ended" } },
		{
			type: "accept_artifacts",
			artifacts: { items: [note], count: 1, totalBytes: 3, digest: "0".repeat(64), rejected: [], rejectedCount: 0 },
		},
		{ type: "conclude", provider, filesFound: { states: [["sea.md", "absent"]], seen } },
	);
	const bytes = Buffer.from(answer);
	const parts = {
		runs: { evidence: async () => runEvidence(state, provider) },
		results: {
			answer: async () => ({
				totalBytes: bytes.length,
				pieces: async function* () {
					yield bytes;
				},
			}),
		},
		channels: new Map(),
		providers: async () => [],
	};
	const action: Pick<DeliveryAction, "channel"> = { channel: "dashboard" };
	const run = toSnapshot({ ...record, provider }, state, 0);
	const { deliverable, grounding } = await workResult(parts as never, { delivery: [action], runs: [] } as never, run as never);
	expect(deliverable?.text).toBe(message);
	return grounding?.problems.map(({ start, end }) => message.slice(start, end).trim()) ?? [];
}

it("a message's claim needs the evidence that the run's own answer needs: more than the title of a call", async () => {
	expect(await unbacked(CLAIM, [report({})])).toEqual([CLAIM]);
	// A gateway may tell no more of a call.
	expect(await unbacked(CLAIM, [report({})], { target: "gateway" })).toEqual([]);
	expect(await unbacked(`Dear Bob,\n\n${CLAIM} It rains.\n${CLAIM}`, [report({})])).toEqual([CLAIM, CLAIM]);
	expect(await unbacked(CLAIM, [report(command("sendmail anna@example.org < mail.txt"))])).toEqual([]);
});

it("nor does a call back it whose command was replaced by the report that it is done", async () => {
	const calls = [
		report({ state: "running", ...command("ls") }),
		report({ ...command("sendmail anna@example.org < mail.txt"), output: { text: "ok", truncated: false } }),
	];
	expect(await unbacked(CLAIM, calls)).toEqual([CLAIM]);
});

it("a permission that the run asked for and was not given is no permission in a message either", async () => {
	const said = "I deleted the folder with your permission.";
	const after = (requests: readonly RunCommand[]) => unbacked(said, [...requests, report(command("rm -r build"))]);
	expect(await after(asked())).toEqual([said]);
	expect(await after(asked("deny"))).toEqual([said]);
	expect(await after(asked("allow_once"))).toEqual([]);
	expect(await after([])).toEqual([]);
});

it("a claim around the message is not one in the message", async () => {
	expect(await unbacked("It rains.", [report({})], { around: CLAIM })).toEqual([]);
	expect(await unbacked("The mail reached Anna.", [report({})], { around: CLAIM })).toEqual([]);
});

it("a file that was seen where the run worked backs a claim in a message, as it does in the run's own answer", async () => {
	expect(await unbacked("I wrote sea.md.", [])).toEqual(["I wrote sea.md."]);
	expect(await unbacked("I wrote sea.md.", [], { seen: ["/work/notes/sea.md"] })).toEqual([]);
});
