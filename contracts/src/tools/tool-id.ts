import { z } from "zod";

/** `integration.resource.action`: the id of a typed tool, which the bridge executes itself. */
export const ToolId = z
	.string()
	.regex(/^[a-z][A-Za-z0-9]{0,63}\.[a-z][A-Za-z0-9]{0,63}\.[a-z][A-Za-z0-9]{0,63}$/, "must be integration.resource.action")
	.brand<"ToolId">();
export type ToolId = z.infer<typeof ToolId>;

/** The folder of an integration, the first part of its tools' ids. */
export const IntegrationId = z
	.string()
	.regex(/^[a-z][A-Za-z0-9]{0,63}$/, "must be at most 64 letters and digits, beginning with a lowercase letter")
	.brand<"IntegrationId">();
export type IntegrationId = z.infer<typeof IntegrationId>;

/** `<providerId>:<toolKind>`: the id of a call that an agent reported. The colon keeps it from being mistaken for a typed tool. */
export const ReportedToolId = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,63}:[a-z_]{1,32}$/, "must be provider:kind")
	.brand<"ReportedToolId">();
export type ReportedToolId = z.infer<typeof ReportedToolId>;

/** What a call may do: nothing, change something, or change something that cannot be undone. */
export const Risk = z.enum(["read", "write", "destructive"]);
export type Risk = z.infer<typeof Risk>;

export const PolicyDecision = z.enum(["allow", "ask", "deny"]);
export type PolicyDecision = z.infer<typeof PolicyDecision>;

/**
 * Why a call was denied. In the last six cases no one answered: the time ran out (`expired`), the run was stopped, the run ended, the
 * bridge that asked stopped, the request was open in a backup that was restored (`backup_restored`, after which it may have been answered;
 * no receipt has it), or the asker withdrew the request (`withdrawn`, which in receipts of earlier bridges also covers three of the others).
 */
export const DenyReason = z.enum([
	"person",
	"policy",
	"policy_failed",
	"unattended",
	"tool_changed",
	"input_too_large",
	"too_many_waiting",
	"expired",
	"run_stopped",
	"run_ended",
	"bridge_stopped",
	"backup_restored",
	"withdrawn",
]);
export type DenyReason = z.infer<typeof DenyReason>;

/** Why a call did not succeed, as told to the program and recorded in the receipt. */
export const ToolErrorCode = z.enum([
	"INVALID_INPUT",
	"DENIED",
	"TOOL_CHANGED",
	"TOOL_FAILED",
	"OUTCOME_UNKNOWN",
	"LIMIT_EXCEEDED",
	"STOPPED",
	"INVALID_OUTPUT",
	"TOOL_TIMEOUT",
	"HOST_LOST",
	"NOT_REPORTED",
]);
export type ToolErrorCode = z.infer<typeof ToolErrorCode>;
