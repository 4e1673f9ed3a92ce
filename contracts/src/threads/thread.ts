import { z } from "zod";
import type { Snapshot } from "../runs/snapshot.ts";
import { isTerminal } from "../runs/status.ts";

export const LifecycleStatus = z.enum(["ready", "queued", "running", "archived"]);
export type LifecycleStatus = z.infer<typeof LifecycleStatus>;

/** How the last turn ended, which `lifecycleStatus=ready` does not say. */
export const ResultCode = z.union([
	z.enum(["success", "failed", "aborted", "artifact_missing", "interrupted", "ACP_HTTP_CONNECT_FAILED", "ACP_HTTP_CONNECTION_CLOSED"]),
	z.templateLiteral(["ACP_HTTP_", z.string().regex(/^[1-5]\d\d$/)]),
	z.templateLiteral(["OPENCLAW_", z.string().regex(/^[A-Z][A-Z_]*$/)]),
]);
export type ResultCode = z.infer<typeof ResultCode>;

export const ArtifactSyncStatus = z.enum([
	"queued",
	"running",
	"syncing",
	"synced",
	"partial",
	"failed",
	"no-artifacts",
	"no-exported-artifacts",
]);
export type ArtifactSyncStatus = z.infer<typeof ArtifactSyncStatus>;

export interface ThreadOutcome {
	readonly resultCode: ResultCode;
	/** `syncing`: the sync should start now, and will then record its own result. */
	readonly syncStatus: ArtifactSyncStatus;
}

/**
 * What a terminal snapshot means for a thread (docs/protocol.md#threads-and-results).
 * @throws RangeError if the snapshot is not terminal: a running task is never a result.
 */
export function threadOutcome(snapshot: Pick<Snapshot, "status" | "code" | "artifacts">): ThreadOutcome {
	const { status, code } = snapshot;
	if (!isTerminal(status)) throw new RangeError(`a ${status} run has no outcome`);
	switch (status) {
		case "completed":
			return { resultCode: "success", syncStatus: snapshot.artifacts.count > 0 ? "syncing" : "no-artifacts" };
		case "artifact_missing":
			return {
				resultCode: code === "OPENCLAW_REQUIRED_ARTIFACT_MISSING" ? code : "artifact_missing",
				syncStatus: code === "NO_EXPORTED_ARTIFACTS" ? "no-exported-artifacts" : "failed",
			};
		case "failed":
			return { resultCode: openclawCode(code) ?? "failed", syncStatus: "failed" };
		case "cancelled":
			return { resultCode: "aborted", syncStatus: "failed" };
		case "interrupted":
			return { resultCode: "interrupted", syncStatus: "failed" };
	}
}

function openclawCode(code: string | undefined): ResultCode | undefined {
	return code?.startsWith("OPENCLAW_") ? (code as ResultCode) : undefined;
}
