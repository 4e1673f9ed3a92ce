export { Approval, ApprovalDecision, ApprovalState, Asker, GrantScope, UsedGrant } from "./approval.ts";
export {
	Artifact,
	ArtifactSummary,
	artifactRef,
	artifactsDigest,
	compareBytes,
	MANIFEST_PATH,
	Manifest,
	RejectedArtifact,
	RejectionReason,
} from "./artifact.ts";
export {
	ArtifactContract,
	type ArtifactContractInput,
	CURRENT_TASK_WORKSPACE,
	openArtifactContract,
	RequiredArtifact,
} from "./artifact-contract.ts";
export { artifactContractProblem } from "./artifact-contract-problem.ts";
export { type ArtifactGlob, compileGlob, compileGlobs, requiredGlobProblem } from "./artifact-glob.ts";
export { artifactPathProblem, caseFold, type PathProblem } from "./artifact-path.ts";
export { ArtifactPath } from "./artifact-path-schema.ts";
export { Attachment } from "./attachment.ts";
export { type ByteRange, parseRange } from "./byte-range.ts";
export { Capabilities, CONTRACT_VERSION, ProviderCapability, ProviderFeatures, StorageSpace, Unavailable } from "./capabilities.ts";
export { ContractError, type ContractErrorOptions, ErrorCode, ErrorData, errorCatalogue, errorDefinition, WireError } from "./errors.ts";
export { expectedFolderProblem, expectedFolders } from "./expected-folder.ts";
export { AgentDefinition, AgentDistribution, Endpoint, ProvidersFile } from "./files.ts";
export { gatewayNotSetUp } from "./gateway-not-set-up.ts";
export { GlobProblem } from "./glob-tokens.ts";
export {
	ApprovalId,
	MAX_ID_LENGTH,
	MessageId,
	ProviderId,
	RunId,
	Seq,
	SessionId,
	Sha256,
	ThreadId,
	Timestamp,
	ToolCallId,
	TurnId,
} from "./ids.ts";
export { limits } from "./limits.ts";
export { type MatchBudget, MatchBudgetError } from "./match-sequence.ts";
export {
	isMethodName,
	type MethodInput,
	type MethodName,
	type MethodParams,
	type MethodResult,
	methods,
	reservedMethodPrefixes,
	SubmitParams,
	TaskRef,
} from "./methods.ts";
export {
	isOpenClawEnd,
	OPENCLAW_ARTIFACT_ROUTE,
	OPENCLAW_CONTRACT_VERSION,
	OpenClawApproval,
	OpenClawApprovalOutcome,
	OpenClawArtifact,
	type OpenClawMethodName,
	type OpenClawParams,
	OpenClawPluginErrorCode,
	type OpenClawResult,
	OpenClawRunRef,
	OpenClawRunState,
	OpenClawSessionKey,
	OpenClawTask,
	openClawEvents,
	openClawMethods,
	PassingGatewayCode,
} from "./openclaw.ts";
export { type ContentDescriptor, type JsonSchema, type OpenRpcDocument, type OpenRpcMethod, openRpcDocument } from "./openrpc.ts";
export { environmentSecrets, Redaction } from "./redaction.ts";
export { ExecutionTarget, ResolvedRouting, Routing } from "./routing.ts";
export { safeMediaType } from "./safe-media-type.ts";
export { ArtifactScope, artifactScope, sessionFolder } from "./scope.ts";
export { advice, sentence } from "./sentence.ts";
export { Output, Snapshot, SnapshotProvider, TaskSummary } from "./snapshot.ts";
export {
	ArtifactMissingCode,
	CancelledCode,
	FailedCode,
	InterruptedCode,
	isTerminal,
	Progress,
	ProgressStage,
	RunCode,
	RunStatus,
	TerminalStatus,
} from "./status.ts";
export { ArtifactSyncStatus, LifecycleStatus, ResultCode, type ThreadOutcome, threadOutcome } from "./thread.ts";
export { Diff, Location, Preview, ToolCall, ToolCallState, ToolKind } from "./tool-call.ts";
export { Heartbeat, Notice, PlanEntry, SESSION_HEARTBEAT, SESSION_UPDATE, SessionUpdate, Update, UpdateKind, Usage } from "./update.ts";
