import { z } from "zod";

/**
 * What the wire says, read from the tables of docs/protocol.md and not from our packages, so that a slip in the
 * shared schemas cannot hide from the tests. Loose: only the fields that tests look at.
 */
const id = z.string().min(1);
const when = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Status = z.enum(["queued", "running", "completed", "failed", "artifact_missing", "cancelled", "interrupted"]);
export type Status = z.infer<typeof Status>;

export const ApprovalRecord = z.looseObject({
	approvalId: id,
	runId: id,
	title: z.string(),
	inputHash: sha256,
	options: z.array(z.string()),
	requestedAt: when,
	expiresAt: when,
	state: z.enum(["pending", "decided", "expired", "withdrawn"]),
	decision: z.string().optional(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

const ArtifactRecord = z.looseObject({
	relativePath: z.string(),
	sizeBytes: z.number(),
	sha256,
	mediaType: z.string(),
	modifiedAt: when,
	artifactRef: z.string(),
});
export type ArtifactRecord = z.infer<typeof ArtifactRecord>;

const artifactList = { items: z.array(ArtifactRecord), count: z.number(), totalBytes: z.number(), digest: sha256 };

export const TaskSnapshot = z.looseObject({
	runId: id,
	sessionId: id,
	threadId: id,
	turnId: id,
	provider: z.looseObject({ target: z.string(), providerId: z.string() }),
	status: Status,
	success: z.boolean(),
	code: z.string().optional(),
	message: z.string().optional(),
	output: z.object({ text: z.string(), truncated: z.boolean(), totalBytes: z.number() }).optional(),
	artifactScope: z.string(),
	artifacts: z.object(artifactList),
	rejectedArtifacts: z.array(z.object({ path: z.string(), reason: z.string() })),
	lastSeq: z.number(),
	serverTime: when,
	createdAt: when,
	startedAt: when.optional(),
	endedAt: when.optional(),
	progress: z.looseObject({ stage: z.string() }).optional(),
	pendingApprovals: z.array(ApprovalRecord),
});
export type TaskSnapshot = z.infer<typeof TaskSnapshot>;

export const ManifestFile = z.looseObject({ runId: id, threadId: id, turnId: id, artifactScope: z.string(), ...artifactList });

export const RunUpdate = z.looseObject({
	sessionId: id,
	threadId: id,
	turnId: id,
	runId: id,
	artifactScope: z.string(),
	seq: z.int().min(1),
	at: when,
	status: Status,
	update: z.looseObject({ kind: z.string() }),
});
export type RunUpdate = z.infer<typeof RunUpdate>;

export const Refusal = z.object({
	code: z.int(),
	message: z.string().min(1),
	data: z.looseObject({ code: z.string(), retryable: z.boolean(), detail: z.string().optional(), fix: z.string().optional() }),
});
export type Refusal = z.infer<typeof Refusal>;

export const RpcResponse = z.object({
	jsonrpc: z.literal("2.0"),
	id: z.union([z.string(), z.number(), z.null()]),
	result: z.unknown().optional(),
	error: Refusal.optional(),
});

export const RpcNotification = z.object({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown() });

/** True for a status that never changes again. */
export function isOver(status: Status): boolean {
	return status !== "queued" && status !== "running";
}
