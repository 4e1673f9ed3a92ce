import { z } from "zod";
import { AgentTest, FailedRun } from "../agents/agent.ts";
import { Unavailable } from "../errors/unavailable.ts";
import { ProviderId, Timestamp } from "../ids/ids.ts";
import { ExecutionTarget } from "../routing/routing.ts";

export const CONTRACT_VERSION = 1;

export const ProviderFeatures = z.object({
	/** May ask the user before it acts. */
	approvals: z.boolean(),
	/** A follow-up turn continues the same conversation. */
	followUp: z.boolean(),
	/** The conversation survives a restart of the agent. */
	resume: z.boolean(),
	attachments: z.boolean(),
	/** How the provider returns the message of a plan: between tags in its answer (the default), or as the return value of its program. */
	deliverable: z.enum(["tags", "structured"]).optional(),
});
export type ProviderFeatures = z.infer<typeof ProviderFeatures>;

/**
 * The bridge's own providers. `agent`: the bridge's assistant, which checks its own answers. `programs`: programs, whose authors write the
 * messages.
 */
export const OwnProvider = z.enum(["agent", "programs"]);
export type OwnProvider = z.infer<typeof OwnProvider>;

export const ProviderCapability = z.object({
	providerId: ProviderId,
	/** Which of the bridge's own providers this is. Absent for any other provider. */
	own: OwnProvider.optional(),
	/** Whether providers.json defines it. An older bridge leaves this out: of its agents, all that are neither its own nor in the catalogue are. */
	isDefined: z.boolean().optional(),
	label: z.string(),
	target: ExecutionTarget,
	available: z.boolean(),
	unavailable: Unavailable.optional(),
	models: z.array(z.string()).optional(),
	/** The last test of an available provider. Absent if this version has not been tested, or has answered in a run after a failed test. */
	lastTest: AgentTest.optional(),
	/** When this version of an agent answered in a run. Absent if it has not, or if `lastTest` says whether it works. */
	answeredAt: Timestamp.optional(),
	/**
	 * A run of this version that failed because the provider did not work. Absent if the version has answered or was tested since.
	 * While this field is present, `lastTest` and `answeredAt` are absent.
	 */
	failedRun: FailedRun.optional(),
	features: ProviderFeatures,
});
export type ProviderCapability = z.infer<typeof ProviderCapability>;

/**
 * The disk that holds the bridge's files. `neededBytes`: the space that a run needs if it delivers as much as the largest recent one;
 * absent if none delivered anything.
 */
export const StorageSpace = z.object({
	freeBytes: z.int().min(0),
	totalBytes: z.int().min(0),
	neededBytes: z.int().min(1).optional(),
});
export type StorageSpace = z.infer<typeof StorageSpace>;

export const Capabilities = z.object({
	contractVersion: z.literal(CONTRACT_VERSION),
	serverTime: Timestamp,
	executionTargets: z.array(ExecutionTarget),
	limits: z.object({
		maxActiveRuns: z.int().min(1),
		openclaw: z.object({ maxActive: z.int().min(0), maxQueued: z.int().min(0) }),
		maxQueuedPerThread: z.int().min(1),
		attachmentBytes: z.int().min(1),
		attachmentsBytes: z.int().min(1),
		bodyBytes: z.int().min(1),
		promptBytes: z.int().min(1),
		runBudgetMs: z.int().min(1),
		approvalMs: z.int().min(1),
	}),
	/** Absent if the disk's size cannot be read. */
	storage: StorageSpace.optional(),
	providers: z.array(ProviderCapability),
});
export type Capabilities = z.infer<typeof Capabilities>;
