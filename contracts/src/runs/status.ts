import { z } from "zod";

export const RunStatus = z.enum(["queued", "running", "completed", "failed", "artifact_missing", "cancelled", "interrupted"]);
export type RunStatus = z.infer<typeof RunStatus>;

export const TerminalStatus = RunStatus.exclude(["queued", "running"]);
export type TerminalStatus = z.infer<typeof TerminalStatus>;

/** True for a status that never changes again. */
export function isTerminal(status: RunStatus): status is TerminalStatus {
	return status !== "queued" && status !== "running";
}

export const ProgressStage = z.enum([
	"queued",
	"starting",
	"working",
	"waiting_approval",
	"collecting",
	"exporting",
	"sealing",
	"stopping",
]);
export type ProgressStage = z.infer<typeof ProgressStage>;

export const Progress = z.object({
	stage: ProgressStage,
	message: z.string().optional(),
	/** 1 means next to run. */
	queuePosition: z.int().min(1).optional(),
	queueLength: z.int().min(1).optional(),
});
export type Progress = z.infer<typeof Progress>;

/** Codes a snapshot may carry, by the terminal status that owns them (docs/protocol.md#a-runs-end). */
export const FailedCode = z.union([
	z.enum([
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
	]),
	z.templateLiteral(["OPENCLAW_", z.string().regex(/^[A-Z][A-Z_]*$/)]),
]);
export type FailedCode = z.infer<typeof FailedCode>;

export const ArtifactMissingCode = z.enum(["NO_EXPORTED_ARTIFACTS", "REQUIRED_ARTIFACT_MISSING", "OPENCLAW_REQUIRED_ARTIFACT_MISSING"]);
export type ArtifactMissingCode = z.infer<typeof ArtifactMissingCode>;

/** CANCEL_INCOMPLETE: the turn has stopped, but something it started may still be running; the message names it. */
export const CancelledCode = z.enum(["CANCELLED_REMOTELY", "CANCEL_INCOMPLETE"]);
export type CancelledCode = z.infer<typeof CancelledCode>;

export const InterruptedCode = z.enum([
	"BRIDGE_RESTARTED",
	"BRIDGE_STOPPED",
	"DEADLINE_EXCEEDED",
	"GATEWAY_LOST",
	"POISONED",
	"STORE_RESTORED",
]);
export type InterruptedCode = z.infer<typeof InterruptedCode>;

export const RunCode = z.union([ArtifactMissingCode, FailedCode, CancelledCode, InterruptedCode]);
export type RunCode = z.infer<typeof RunCode>;
