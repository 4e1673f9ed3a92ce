import { ApprovalRecord, type RunUpdate, type Status } from "./wire.ts";

/** What a reader of the stream alone knows about a run. */
export interface FoldedRun {
	readonly status: Status;
	readonly lastSeq: number;
	/** The last message that is not empty. */
	readonly outputText: string;
	readonly pendingApprovals: readonly string[];
	readonly artifacts: { readonly count: number; readonly totalBytes: number; readonly rejected: number };
}

/** Folds updates in order, by the words of docs/protocol.md#updates and none of the bridge's code. @throws on a gap, a double or a mixed-up run */
export function foldUpdates(updates: readonly RunUpdate[]): FoldedRun {
	const first = updates[0];
	if (first === undefined) throw new Error("no updates to fold");
	const messages: { messageId: string; text: string }[] = [];
	const approvals = new Map<string, string>();
	let artifacts = { count: 0, totalBytes: 0, rejected: 0 };
	let status: Status = first.status;
	for (const [index, update] of updates.entries()) {
		expectNext(first, update, index + 1);
		status = update.status;
		const { kind, ...fields } = update.update;
		if (kind === "message_delta") {
			const last = messages.at(-1);
			if (last !== undefined && last.messageId === fields.messageId) last.text += String(fields.text);
			else messages.push({ messageId: String(fields.messageId), text: String(fields.text) });
		} else if (kind === "approval") {
			const record = ApprovalRecord.parse(fields);
			approvals.set(record.approvalId, record.state);
		} else if (kind === "artifacts") {
			artifacts = { count: Number(fields.count), totalBytes: Number(fields.totalBytes), rejected: Number(fields.rejected) };
		}
	}
	const outputText = messages.findLast(({ text }) => text.trim() !== "")?.text ?? "";
	const pendingApprovals = [...approvals].filter(([, state]) => state === "pending").map(([approvalId]) => approvalId);
	return { status, lastSeq: updates.length, outputText, pendingApprovals, artifacts };
}

function expectNext(first: RunUpdate, update: RunUpdate, seq: number): void {
	if (update.seq !== seq) throw new Error(`seq ${update.seq} where ${seq} had to come`);
	for (const key of ["runId", "threadId", "turnId", "sessionId", "artifactScope"] as const) {
		if (update[key] !== first[key]) throw new Error(`${key} changed to ${update[key]} at seq ${seq}`);
	}
}
