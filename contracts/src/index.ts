export {
	AuthProfile,
	AuthProfileId,
	AuthProfileState,
	AuthProfiles,
	AuthProfileType,
	CoolingReason,
	ModelProvider,
	NewCredential,
} from "./accounts/auth-profile.ts";
export { Activity, ActivityItem, ActivityStatus } from "./activity/activity.ts";
export { activityOf, type CallActivity, callAfter, deriveActivity } from "./activity/derive-activity.ts";
export { failedCommandsIn, type LastCommand, lastCommands } from "./activity/last-commands.ts";
export { isLateDecision } from "./activity/late-decision.ts";
export { madePlan, PLAN_TOOL } from "./activity/made-plan.ts";
export { quotedWords, renderActivity } from "./activity/render-activity.ts";
export { contradictionBy, deniedCommandBy, isUndone, isUntrue, swappedBy, unpermittedBy, unpermittedIn } from "./activity/unpermitted.ts";
export type { AgentTest, FailedRun } from "./agents/agent.ts";
export { Agent, AgentJob, AgentStage, AgentState, Agents, SignInKind, SignInMethod } from "./agents/agent.ts";
export {
	AgentCatalogue,
	AgentVariable,
	AgentVariableName,
	AgentVersion,
	CatalogueAgent,
	CatalogueExtras,
	catalogueFile,
} from "./agents/agent-catalogue.ts";
export { AgentDefinition, AgentDistribution, ProvidersFile } from "./agents/agent-definition.ts";
export { providersFile } from "./agents/providers-file.ts";
export {
	AnswerSegment,
	AnswerSegments,
	ClaimReason,
	Grounding,
	GroundingProblem,
	GroundingProblemCode,
	GroundingState,
	RECEIPTS_SHOW,
} from "./answers/answer.ts";
export { checkAgentClaims, checkClaims, claimChecker, type RunEvidence } from "./answers/check-claims.ts";
export { type Claim, claimsOf } from "./answers/claims/claims.ts";
export { fileName } from "./answers/claims/file-name.ts";
export { lastWord, namedFiles } from "./answers/claims/named-files.ts";
export { isOtherCommand } from "./answers/commands/same-command.ts";
export type { FoundFile } from "./answers/lack-of-files.ts";
export { Lacking, lackingIn } from "./answers/lacking.ts";
export { FileNames, isSameFile, plainPath } from "./answers/same-file.ts";
export { SeenFiles } from "./answers/seen-files.ts";
export { Approval, ApprovalDecision, ApprovalState, Asker, GrantScope, UsedGrant } from "./approvals/approval.ts";
export { isAutomatic } from "./approvals/is-automatic.ts";
export { isPermission } from "./approvals/is-permission.ts";
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
} from "./artifacts/artifact.ts";
export {
	ArtifactContract,
	type ArtifactContractInput,
	CURRENT_TASK_WORKSPACE,
	openArtifactContract,
	RequiredArtifact,
} from "./artifacts/artifact-contract.ts";
export { artifactContractProblem } from "./artifacts/artifact-contract-problem.ts";
export { type ArtifactGlob, compileGlob, compileGlobs, requiredGlobProblem } from "./artifacts/artifact-glob.ts";
export { artifactPathProblem, caseFold, type PathProblem } from "./artifacts/artifact-path.ts";
export { ArtifactPath } from "./artifacts/artifact-path-schema.ts";
export { type ByteRange, parseRange } from "./artifacts/byte-range.ts";
export { expectedFolderProblem, expectedFolders } from "./artifacts/expected-folder.ts";
export { GlobProblem } from "./artifacts/glob-tokens.ts";
export { type MatchBudget, MatchBudgetError } from "./artifacts/match-sequence.ts";
export { safeMediaType } from "./artifacts/safe-media-type.ts";
export { ArtifactScope, artifactScope, sessionFolder } from "./artifacts/scope.ts";
export {
	Channel,
	ChannelId,
	ChannelTestStep,
	Contact,
	ContactId,
	InboxMessage,
	LintFinding,
	LintRule,
	PayloadPart,
} from "./channels/channel.ts";
export { findingWords, lintNames } from "./channels/lint-names.ts";
export {
	Edit,
	EditApplied,
	EditDiff,
	EditHindrance,
	EditList,
	EditOutside,
	EditPlace,
	EditStatus,
	EditsUntil,
	LISTED_EDITS,
	RunEdits,
	TreeId,
	UnfinishedEdit,
} from "./edits/edit.ts";
export { editsLine } from "./edits/edits-line.ts";
export { restoreDatabase } from "./errors/damaged-database.ts";
export { ErrorCode, errorCatalogue, errorDefinition } from "./errors/error-catalogue.ts";
export { ContractError, type ContractErrorOptions, ErrorData, WireError } from "./errors/errors.ts";
export { environmentSecrets, Redaction } from "./errors/redaction.ts";
export { advice, sentence, withFullStop } from "./errors/sentence.ts";
export { Unavailable } from "./errors/unavailable.ts";
export {
	ApprovalId,
	MAX_ID_LENGTH,
	MessageId,
	NotedHash,
	OriginId,
	ProviderId,
	RunId,
	Seq,
	SessionId,
	Sha256,
	ThreadId,
	Timestamp,
	ToolCallId,
	TurnId,
} from "./ids/ids.ts";
export { ActionId, OccurrenceId, PlanId, RequestId } from "./ids/plan-id.ts";
export { canonicalJson } from "./json/canonical-json.ts";
export { Capabilities, CONTRACT_VERSION, OwnProvider, ProviderCapability, ProviderFeatures, StorageSpace } from "./methods/capabilities.ts";
export {
	isMethodName,
	type MethodInput,
	type MethodName,
	type MethodParams,
	type MethodResult,
	methods,
	SubmitParams,
	TaskRef,
} from "./methods/methods.ts";
export { type ContentDescriptor, type JsonSchema, type OpenRpcDocument, type OpenRpcMethod, openRpcDocument } from "./methods/openrpc.ts";
export { type Defined, omitUndefined } from "./objects/omit-undefined.ts";
export { gatewayNotSetUp } from "./openclaw/gateway-not-set-up.ts";
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
	openClawWorkUnknown,
	PassingGatewayCode,
} from "./openclaw/openclaw.ts";
export { Operator, OperatorFindingCode, OperatorState } from "./operators/operator.ts";
export {
	CLOSING_TAG,
	type DeliverablePiece,
	deliverablePieces,
	hasTag,
	OPENING_TAG,
	type TagPlace,
	tagPlaces,
} from "./plans/deliverable-tags.ts";
export {
	AddressedTo,
	Deliverable,
	DeliveryAction,
	DeliveryCode,
	DeliveryProof,
	DeliveryStage,
	DeliveryStatus,
	Gate,
	GateReason,
	NewDelivery,
	NotSentCode,
	ReviewCode,
	UnknownCode,
} from "./plans/delivery.ts";
export {
	Missed,
	NewPlan,
	Occurrence,
	OccurrenceCode,
	OccurrenceKind,
	OccurrenceStatus,
	Plan,
	PlanChange,
	PlanRun,
	PlanStatus,
	PlanType,
	RunWait,
	WorkItem,
	WorkStatus,
} from "./plans/plan.ts";
export { DraftChoice, DraftProblem, DraftProblemCode, PlanDraft } from "./plans/plan-draft.ts";
export { PLAN_UPDATE, PlanUpdate, PlanUpdateBody } from "./plans/plan-update.ts";
export { firstPrev, LedgerCheck, type LedgerEnd, signedText, verifyLedger } from "./receipts/ledger-check.ts";
export {
	LedgerLine,
	ReceiptProblem,
	ReceiptProblemCode,
	VERIFICATION_PROGRESS,
	Verification,
	VerificationProgress,
} from "./receipts/ledger-line.ts";
export { Receipt, ReceiptDecision, type ReceiptDraft, ReceiptId, ReceiptOrigin, ReceiptOutcome, ReceiptType } from "./receipts/receipt.ts";
export {
	type ChainHead,
	type ChainOwner,
	chained,
	chainedOfPlan,
	emptyChain,
	emptyChainOf,
	emptyPlanChain,
	hashOf,
} from "./receipts/receipt-chain.ts";
export { RunCheck, type RunSeal, verifyRun } from "./receipts/run-check.ts";
export { ExecutionTarget, ResolvedRouting, Routing } from "./routing/routing.ts";
export { AssistantMetadata } from "./runs/assistant-metadata.ts";
export { Attachment } from "./runs/attachment.ts";
export { BRIDGE_CHANGE, Change, ChangeCursor, ChangeNotice, ChangePage } from "./runs/change.ts";
export { limits } from "./runs/limits.ts";
export { Origin, OriginKind } from "./runs/origin.ts";
export { Output, Snapshot, SnapshotProvider, TaskSummary } from "./runs/snapshot.ts";
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
} from "./runs/status.ts";
export { TaskInput } from "./runs/task-input.ts";
export {
	Heartbeat,
	Notice,
	PlanEntry,
	SESSION_HEARTBEAT,
	SESSION_UPDATE,
	SessionUpdate,
	Update,
	UpdateKind,
	Usage,
} from "./runs/update.ts";
export { defaultLimits } from "./settings/default-limits.ts";
export { EffectiveSetting, SettingSource, SettingsProblem, SettingValue } from "./settings/effective-setting.ts";
export { Endpoint } from "./settings/endpoint.ts";
export { formatBytes, formatExcess } from "./text/format-bytes.ts";
export { spanWords } from "./text/span-words.ts";
export { isTimeZone } from "./text/time-zone.ts";
export { visible, visibleWithin } from "./text/visible.ts";
export { isSameZone, zoneWords } from "./text/zone-words.ts";
export { ArtifactSyncStatus, LifecycleStatus, ResultCode, type ThreadOutcome, threadOutcome } from "./threads/thread.ts";
export { ThreadFolder, ThreadFolderKind } from "./threads/thread-folder.ts";
export { askedName, doneToFiles } from "./tools/asked-name.ts";
export { examinedFiles, foundAgainst } from "./tools/contradiction.ts";
export { Integration, IntegrationState, ListedTool, ToolProblem, ToolProblemCode, ToolSources } from "./tools/integration.ts";
export { judgedKind } from "./tools/judged-kind.ts";
export { onlyLooks } from "./tools/looking-kind.ts";
export { reportedLine } from "./tools/reported-command.ts";
export { isMoreSerious, moreSerious } from "./tools/serious-kind.ts";
export {
	Contradiction,
	Diff,
	Location,
	Preview,
	SwappedCommand,
	ToolCall,
	ToolCallState,
	ToolKind,
	Unpermitted,
} from "./tools/tool-call.ts";
export { DenyReason, IntegrationId, PolicyDecision, ReportedToolId, Risk, ToolErrorCode, ToolId } from "./tools/tool-id.ts";
