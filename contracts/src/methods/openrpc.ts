import { z } from "zod";
import { AuthProfile, AuthProfiles } from "../accounts/auth-profile.ts";
import { Activity } from "../activity/activity.ts";
import { Agent, AgentJob, AgentStage, AgentState, Agents, SignInKind, SignInMethod } from "../agents/agent.ts";
import { AgentCatalogue } from "../agents/agent-catalogue.ts";
import { ProvidersFile } from "../agents/agent-definition.ts";
import { AnswerSegments, Grounding } from "../answers/answer.ts";
import { Approval, ApprovalDecision, ApprovalState, GrantScope, UsedGrant } from "../approvals/approval.ts";
import { Artifact, ArtifactSummary, Manifest, RejectedArtifact, RejectionReason } from "../artifacts/artifact.ts";
import { ArtifactContract, RequiredArtifact } from "../artifacts/artifact-contract.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import {
	Channel,
	ChannelId,
	ChannelTestStep,
	Contact,
	ContactId,
	InboxMessage,
	LintFinding,
	LintRule,
	PayloadPart,
} from "../channels/channel.ts";
import { ErrorCode, errorCatalogue } from "../errors/error-catalogue.ts";
import { ErrorData, WireError } from "../errors/errors.ts";
import { Unavailable } from "../errors/unavailable.ts";
import { ApprovalId, ProviderId, RunId, Sha256, ThreadId, Timestamp } from "../ids/ids.ts";
import { ActionId, OccurrenceId, PlanId, RequestId } from "../ids/plan-id.ts";
import { Operator } from "../operators/operator.ts";
import { Deliverable, DeliveryAction, Gate, GateReason, NewDelivery } from "../plans/delivery.ts";
import { Missed, NewPlan, Occurrence, Plan, PlanChange, PlanRun, PlanStatus, WorkItem } from "../plans/plan.ts";
import { PLAN_UPDATE, PlanUpdate, PlanUpdateBody } from "../plans/plan-update.ts";
import { ReceiptProblem } from "../receipts/ledger-line.ts";
import { Receipt } from "../receipts/receipt.ts";
import { ExecutionTarget, ResolvedRouting, Routing } from "../routing/routing.ts";
import { AssistantMetadata } from "../runs/assistant-metadata.ts";
import { Attachment } from "../runs/attachment.ts";
import { BRIDGE_CHANGE, Change, ChangeCursor, ChangeNotice, ChangePage } from "../runs/change.ts";
import { Origin, OriginKind } from "../runs/origin.ts";
import { Output, Snapshot, SnapshotProvider, TaskSummary } from "../runs/snapshot.ts";
import { Progress, ProgressStage, RunCode, RunStatus } from "../runs/status.ts";
import { TaskInput } from "../runs/task-input.ts";
import { Heartbeat, Notice, PlanEntry, SESSION_HEARTBEAT, SESSION_UPDATE, SessionUpdate, Update, Usage } from "../runs/update.ts";
import { Endpoint } from "../settings/endpoint.ts";
import { Integration, ListedTool, ToolSources } from "../tools/integration.ts";
import { Diff, Location, Preview, ToolCall, ToolCallState, ToolKind } from "../tools/tool-call.ts";
import { IntegrationId, PolicyDecision, Risk, ToolId } from "../tools/tool-id.ts";
import { Capabilities, CONTRACT_VERSION, ProviderCapability, ProviderFeatures } from "./capabilities.ts";
import { type MethodName, methods, SubmitParams, TaskRef } from "./methods.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ContentDescriptor {
	readonly name: string;
	readonly required: boolean;
	readonly schema: JsonSchema;
}

export interface OpenRpcMethod {
	readonly name: string;
	readonly summary: string;
	readonly paramStructure: "by-name";
	/** One entry for each property. If there are several forms, a property is required only if all of them require it. */
	readonly params: readonly ContentDescriptor[];
	readonly result: ContentDescriptor;
	/** True if the method answers with an event stream when the client accepts one. */
	readonly "x-streams": boolean;
	readonly "x-effects": boolean;
	/** The whole params object, in all its forms. */
	readonly "x-params-schema": JsonSchema;
}

export interface OpenRpcDocument {
	readonly openrpc: "1.3.2";
	readonly info: { readonly title: string; readonly version: string; readonly license: { readonly name: string } };
	readonly methods: readonly OpenRpcMethod[];
	/** What a stream carries in addition to the response, by notification name. */
	readonly "x-notifications": Readonly<Record<string, JsonSchema>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
	};
}

/** The named parts of the contract, in the order in which documents list them. */
const components: Readonly<Record<string, z.ZodType>> = {
	// ThreadId, SessionId, TurnId and OriginId share one schema under four brands.
	Identifier: ThreadId,
	RunId,
	ApprovalId,
	ProviderId,
	Sha256,
	Timestamp,
	ArtifactScope,
	ExecutionTarget,
	Routing,
	ResolvedRouting,
	SubmitParams,
	Attachment,
	ArtifactContract,
	RequiredArtifact,
	TaskRef,
	TaskInput,
	Origin,
	OriginKind,
	Capabilities,
	ProviderCapability,
	ProviderFeatures,
	Unavailable,
	RunStatus,
	RunCode,
	Progress,
	ProgressStage,
	Snapshot,
	SnapshotProvider,
	Output,
	TaskSummary,
	ArtifactSummary,
	Artifact,
	RejectedArtifact,
	RejectionReason,
	Manifest,
	SessionUpdate,
	Update,
	ToolCall,
	ToolCallState,
	ToolKind,
	Preview,
	Diff,
	Location,
	PlanEntry,
	Usage,
	Notice,
	ToolId,
	IntegrationId,
	Risk,
	PolicyDecision,
	Integration,
	ListedTool,
	ToolSources,
	PlanId,
	OccurrenceId,
	ActionId,
	RequestId,
	NewPlan,
	PlanChange,
	Plan,
	PlanStatus,
	WorkItem,
	Occurrence,
	PlanRun,
	Missed,
	NewDelivery,
	DeliveryAction,
	Deliverable,
	Gate,
	GateReason,
	PlanUpdate,
	PlanUpdateBody,
	Channel,
	ChannelId,
	ChannelTestStep,
	Contact,
	ContactId,
	LintFinding,
	LintRule,
	PayloadPart,
	InboxMessage,
	AssistantMetadata,
	Receipt,
	ReceiptProblem,
	Activity,
	AnswerSegments,
	Grounding,
	AuthProfile,
	AuthProfiles,
	Agent,
	AgentState,
	AgentJob,
	AgentStage,
	SignInMethod,
	SignInKind,
	Agents,
	Operator,
	Approval,
	ApprovalState,
	ApprovalDecision,
	GrantScope,
	UsedGrant,
	Change,
	ChangeCursor,
	ChangeNotice,
	ChangePage,
	Heartbeat,
	ErrorCode,
	ErrorData,
	WireError,
	Endpoint,
	ProvidersFile,
	AgentCatalogue,
};

/**
 * The contract as an OpenRPC 1.3.2 document (`GET /openrpc.json`, docs/openrpc.json). The schemas describe what a reader accepts: params
 * closed, results and events open. Rules that JSON Schema cannot express (byte lengths, safe paths) are in docs/protocol.md.
 */
export function openRpcDocument(): OpenRpcDocument {
	const schemas = namedSchemas();
	return {
		openrpc: "1.3.2",
		info: { title: "XWorkmate bridge", version: `${CONTRACT_VERSION}.0.0`, license: { name: "Apache-2.0" } },
		methods: methodNames().map((name) => describeMethod(name, schemas)),
		"x-notifications": {
			[SESSION_UPDATE]: reference("SessionUpdate"),
			[SESSION_HEARTBEAT]: reference("Heartbeat"),
			[BRIDGE_CHANGE]: reference("ChangeNotice"),
			[PLAN_UPDATE]: reference("PlanUpdate"),
		},
		components: {
			schemas: Object.fromEntries(Object.keys(components).map((name) => [name, lookUp(schemas, name)])),
			errors: Object.fromEntries(
				Object.entries(errorCatalogue).map(([code, { number, meaning }]) => [code, { code: number, message: meaning }]),
			),
		},
	};
}

function methodNames(): MethodName[] {
	return Object.keys(methods) as MethodName[];
}

function describeMethod(name: MethodName, schemas: ReadonlyMap<string, JsonSchema>): OpenRpcMethod {
	const { summary, streams, effects } = methods[name];
	const params = resolve(lookUp(schemas, `${name}.params`), schemas);
	return {
		name,
		summary,
		paramStructure: "by-name",
		params: describeParams(params),
		result: { name: "result", required: true, schema: lookUp(schemas, `${name}.result`) },
		"x-streams": streams,
		"x-effects": effects,
		"x-params-schema": lookUp(schemas, `${name}.params`),
	};
}

function describeParams(schema: JsonSchema): ContentDescriptor[] {
	const forms = (schema.anyOf ?? [schema]).filter((form) => typeof form !== "boolean");
	const described = new Map<string, ContentDescriptor>();
	for (const [name, property] of forms.flatMap((form) => Object.entries(form.properties ?? {}))) {
		if (described.has(name) || typeof property === "boolean") continue;
		described.set(name, { name, required: forms.every((form) => form.required?.includes(name)), schema: property });
	}
	return [...described.values()].sort((a, b) => Number(b.required) - Number(a.required));
}

/** Every component, and each method's `<name>.params` and `<name>.result`, as JSON Schemas that refer to the components. */
function namedSchemas(): Map<string, JsonSchema> {
	const registry = z.registry<{ id: string }>();
	const entries = methodNames().flatMap((name): [string, z.ZodType][] => [
		[`${name}.params`, methods[name].params],
		[`${name}.result`, methods[name].result],
	]);
	const aliases: [string, JsonSchema][] = [];
	for (const [id, schema] of [...Object.entries(components), ...entries]) {
		const known = registry.get(schema)?.id;
		if (known === undefined) registry.add(schema, { id });
		else aliases.push([id, reference(known)]);
	}
	const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => `#/components/schemas/${id}` });
	const own = Object.entries(schemas).map(([id, { $schema, $id, ...rest }]): [string, JsonSchema] => [id, rest]);
	return new Map([...own, ...aliases]);
}

function reference(name: string): JsonSchema {
	return { $ref: `#/components/schemas/${name}` };
}

function resolve(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
	return schema.$ref === undefined ? schema : lookUp(schemas, schema.$ref.replace("#/components/schemas/", ""));
}

function lookUp(schemas: ReadonlyMap<string, JsonSchema>, name: string): JsonSchema {
	const schema = schemas.get(name);
	if (schema === undefined) throw new RangeError(`the contract has no schema named ${name}`);
	return schema;
}
