import type { IntegrationId, PolicyDecision, Risk, ToolId } from "@xworkmate/contracts";
import type { Examined, HostedCall, HostedOutcome, ToolCatalogue, ToolHosts, TypedTool } from "../../src/ports/tools/tool-hosts.ts";

export interface CountedTool {
	readonly risk: Risk;
	readonly isIdempotent?: boolean;
	readonly isAccepted?: boolean;
	readonly own?: PolicyDecision | "failed";
	/** As TypeScript. */
	readonly input?: string;
}

/** What a test makes of one call; the default succeeds at once. */
export type Handler = (call: HostedCall & { readonly method: string }, signal: AbortSignal) => Promise<HostedOutcome>;

export const done = (output: unknown = { done: true }): HostedOutcome => ({ kind: "succeeded", output });

/**
 * The world outside, in memory: it outlives every core of a test, and counts what was done to it, by the key of the call. Its tools are
 * `tools.world.<method>`.
 */
export class CountingHosts implements ToolHosts {
	/** How often each call acted, by its idempotency key. */
	readonly effects = new Map<string, number>();
	readonly calls: (HostedCall & { readonly method: string })[] = [];
	readonly examined: unknown[] = [];
	handle: Handler = async () => done();
	examine1: ((input: unknown) => Examined | undefined) | undefined;
	#tools: Readonly<Record<string, CountedTool>>;
	#version = 1;

	constructor(tools: Readonly<Record<string, CountedTool>>) {
		this.#tools = tools;
	}

	/** Other code from here on, and other tools if there are any. */
	change(tools = this.#tools): void {
		this.#tools = tools;
		this.#version++;
	}

	get toolHash(): string {
		return this.#version.toString(16).padStart(64, "0");
	}

	async catalogue(): Promise<ToolCatalogue> {
		const names = Object.keys(this.#tools);
		const members = names.map(
			(name) => `\t\t${name}(input: ${this.#tools[name]?.input ?? "{ readonly [key: string]: unknown }"}): Promise<ToolResult<any>>;`,
		);
		return {
			registryHash: this.toolHash,
			tools: new Map(names.map((name) => [`world.${name}`, this.tool(name)])),
			declarations: names.length === 0 ? "" : `\treadonly world: {\n${members.join("\n")}\n\t};\n`,
		};
	}

	tool(method: string): TypedTool {
		const { risk = "read", isIdempotent = false, isAccepted = true } = this.#tools[method] ?? {};
		return {
			toolId: `world.thing.${method}` as ToolId,
			integration: "world" as IntegrationId,
			...{ method, risk, toolHash: this.toolHash, isAccepted, isIdempotent },
			...{ isKeyRead: false, mayWindow: true, timeoutMs: 60_000, secrets: [] },
		};
	}

	isCurrent(tool: TypedTool): boolean {
		return tool.toolHash === this.toolHash && tool.method in this.#tools;
	}

	async examine(tool: TypedTool, input: unknown): Promise<Examined> {
		this.examined.push(input);
		if (!this.isCurrent(tool)) return { kind: "changed" };
		const { own } = this.#tools[tool.method] ?? {};
		return (
			this.examine1?.(input) ?? { kind: "valid", input, words: `${tool.method} the thing`, ...(own === undefined ? {} : { policy: own }) }
		);
	}

	async call(tool: TypedTool, call: HostedCall, signal: AbortSignal): Promise<HostedOutcome> {
		const { method } = tool;
		this.calls.push({ ...call, method });
		const outcome = await this.handle({ ...call, method }, signal);
		return outcome;
	}

	/** Something was done in the world. */
	acted({ idempotencyKey }: Pick<HostedCall, "idempotencyKey">): void {
		this.effects.set(idempotencyKey, (this.effects.get(idempotencyKey) ?? 0) + 1);
	}

	async close(): Promise<void> {}
}
