import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The part of OpenClaw 2026.9's plugin API that this plugin uses (openclaw/plugin-sdk/plugin-entry). Declared here because the gateway's
 * package takes 650 MB. The gateway's events, contexts, params and lists are `unknown`, and are decoded where they are used.
 */
export interface PluginApi {
	readonly id: string;
	readonly version?: string;
	readonly pluginConfig?: unknown;
	readonly logger: PluginLogger;
	readonly runtime: PluginRuntime;
	readonly agent: { readonly events: { registerAgentEventSubscription(subscription: AgentEventSubscription): void } };
	registerGatewayMethod(name: string, handler: GatewayMethodHandler, options: { readonly scope: "operator.read" | "operator.write" }): void;
	registerHttpRoute(route: HttpRoute): void;
	registerService(service: PluginService): void;
	on(hook: HookName, handler: (event: unknown, context: unknown) => unknown, options?: { readonly timeoutMs?: number }): void;
}

export type HookName = "agent_turn_prepare" | "before_agent_run" | "before_tool_call" | "after_tool_call" | "resolve_exec_env";

export interface PluginLogger {
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

export interface PluginRuntime {
	readonly version?: string;
	readonly config: { current(): unknown };
	readonly state: { resolveStateDir(): string };
	readonly agent: {
		resolveAgentWorkspaceDir(config: unknown, agentId: string): string;
		readonly session: { patchSessionEntry(patch: SessionEntryPatch): unknown };
	};
	readonly tasks: { readonly runs: { bindSession(binding: { readonly sessionKey: string }): SessionTasks } };
}

/** The tasks that a session owns: background commands, sub-agents, and media that are being produced. */
export interface SessionTasks {
	list(): unknown;
	/** Settles once a sub-agent has ended; for a command, as soon as its end was requested. */
	cancel(params: { readonly taskId: string; readonly cfg: unknown }): Promise<unknown>;
}

export interface SessionEntryPatch {
	readonly agentId: string;
	readonly sessionKey: string;
	readonly preserveActivity: boolean;
	/** Returns the fields to change; undefined removes one. */
	update(entry: unknown): Readonly<Record<string, unknown>>;
}

export interface AgentEventSubscription {
	readonly id: string;
	readonly streams: readonly string[];
	handle(event: unknown): void;
}

export type Respond = (ok: boolean, payload: unknown, error?: GatewayErrorShape) => void;

export interface GatewayErrorShape {
	readonly code: string;
	readonly message: string;
	readonly details?: Readonly<Record<string, unknown>>;
}

export type GatewayMethodHandler = (request: { readonly params: unknown; readonly respond: Respond }) => Promise<void>;

export interface HttpRoute {
	readonly path: string;
	/** `gateway`: the gateway itself requires its token. */
	readonly auth: "gateway";
	readonly match: "prefix";
	/** True means that the request was answered. */
	handler(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export interface PluginService {
	readonly id: string;
	start(context: PluginServiceContext): Promise<void>;
	stop(): Promise<void>;
}

export interface PluginServiceContext {
	readonly gatewayEvents?: { emit(event: string, payload: unknown, options: { readonly scope: "operator.read" }): void };
}
