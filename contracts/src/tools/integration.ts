import { z } from "zod";
import { Sha256, Timestamp } from "../ids/ids.ts";
import { IntegrationId, PolicyDecision, Risk, ToolId } from "./tool-id.ts";

/**
 * `unaccepted`: loaded, but the user has not accepted this code. `failed`: the files do not load; the last version that loaded, if there
 * is one, stays in use, whether it was accepted or not.
 */
export const IntegrationState = z.enum(["active", "unaccepted", "failed"]);
export type IntegrationState = z.infer<typeof IntegrationState>;

export const ToolProblemCode = z.enum([
	"SYNTAX",
	"IMPORT_FAILED",
	"IMPORT_TIMEOUT",
	"NO_TOOLS",
	"BAD_ID",
	"FOREIGN_INTEGRATION",
	"DUPLICATE_ID",
	"DUPLICATE_NAME",
	"BAD_SCHEMA",
	"TOO_LARGE",
	"HOST_LOST",
]);
export type ToolProblemCode = z.infer<typeof ToolProblemCode>;

/** What is wrong with an integration's files. `file` is relative to its folder; `line` and `column` count from 1. */
export const ToolProblem = z.object({
	code: ToolProblemCode,
	message: z.string().max(2_000),
	file: z.string().max(1_000).optional(),
	line: z.int().min(1).optional(),
	column: z.int().min(1).optional(),
});
export type ToolProblem = z.infer<typeof ToolProblem>;

export const ListedTool = z.object({
	toolId: ToolId,
	/** The name of the export. A program calls `tools.<integration>.<method>`. */
	method: z.string(),
	risk: Risk,
	/** The tool's own default. Absent: its risk decides, or a function of the tool decides for each call. */
	policy: PolicyDecision.optional(),
	/** True: a function of the tool decides for each call. Absent: an older bridge loaded this version, and didn't record it. */
	codeDecides: z.boolean().optional(),
	/** The rule that the user has set. */
	rule: PolicyDecision.optional(),
	/** The declaration for the type checker, on one line. */
	declaration: z.string().max(16_384),
	/** True: the tool may be called again after an attempt whose outcome is not known. */
	idempotent: z.boolean(),
	/** True: the user may allow the tool for a limited time. */
	window: z.boolean(),
	/** Names of the secrets that a call gets. */
	secrets: z.array(z.string().max(200)).max(50),
});
export type ListedTool = z.infer<typeof ListedTool>;

/** An integration as the bridge has loaded it: one folder of tools. */
export const Integration = z.object({
	integration: IntegrationId,
	state: IntegrationState,
	/** Hash of the version whose tools are listed. Absent: no version has ever loaded. */
	toolHash: Sha256.optional(),
	accepted: z.object({ toolHash: Sha256, at: Timestamp, by: z.string() }).optional(),
	problems: z.array(ToolProblem).max(200),
	tools: z.array(ListedTool).max(1_000),
});
export type Integration = z.infer<typeof Integration>;

const sources = {
	files: z.array(z.object({ path: z.string().max(1_000), text: z.string() })).max(1_000),
	/** What the files declare: a review lists what is new in it before it shows the code. Absent: not kept for this version. */
	tools: z.array(ListedTool).max(1_000).optional(),
};

/** The source files of one version of an integration. */
export const ToolSources = z.object({
	integration: IntegrationId,
	toolHash: Sha256,
	...sources,
	/** The accepted version, for comparison. It may be this one. */
	accepted: z.object({ toolHash: Sha256, ...sources }).optional(),
});
export type ToolSources = z.infer<typeof ToolSources>;
