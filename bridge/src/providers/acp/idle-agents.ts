import type { AcpBounds } from "./process/acp-bounds.ts";
import type { AgentConnection } from "./process/agent-connection.ts";
import type { AgentLog } from "./process/agent-report.ts";

interface IdleAgent {
	readonly agent: AgentConnection;
	readonly timer: NodeJS.Timeout;
}

/** Idle agents of all providers, limited in number and in time. The one that has been idle longest is ended first. */
export class IdleAgents {
	readonly #bounds: Pick<AcpBounds, "idleMs" | "maxIdle">;
	readonly #log: AgentLog;
	/** The idle agents by key, in the order in which they became idle. */
	readonly #idle = new Map<string, IdleAgent>();
	readonly #followed = new WeakSet<AgentConnection>();

	constructor(bounds: Pick<AcpBounds, "idleMs" | "maxIdle">, log: AgentLog) {
		this.#bounds = bounds;
		this.#log = log;
	}

	/** Removes the agent and returns it to the caller; undefined if there is none that is alive. */
	take(key: string): AgentConnection | undefined {
		const idle = this.#remove(key);
		return idle?.alive === true ? idle : undefined;
	}

	/** Takes every agent whose key begins with `prefix`. */
	takeAll(prefix: string): readonly AgentConnection[] {
		const keys = [...this.#idle.keys()].filter((key) => key.startsWith(prefix));
		return keys.flatMap((key) => this.#remove(key) ?? []);
	}

	/** Keeps an agent for the next turn, within the limits. */
	keep(key: string, agent: AgentConnection): void {
		const before = this.#idle.get(key);
		if (before !== undefined) this.#end(key, before.agent);
		const timer = setTimeout(() => this.#end(key, agent), this.#bounds.idleMs);
		timer.unref();
		this.#idle.set(key, { agent, timer });
		this.#follow(key, agent);
		if (this.#idle.size <= this.#bounds.maxIdle) return;
		const [longest] = this.#idle;
		if (longest !== undefined) this.#end(longest[0], longest[1].agent);
	}

	/**
	 * Forgets an agent once its connection has closed. Each agent gets one callback rather than one per turn, because a callback is kept
	 * until its agent ends.
	 */
	#follow(key: string, agent: AgentConnection): void {
		if (this.#followed.has(agent)) return;
		this.#followed.add(agent);
		void agent.closed.then(() => this.#forget(key, agent));
	}

	#end(key: string, agent: AgentConnection): void {
		this.#forget(key, agent);
		agent.end().catch((error: unknown) => this.#log.warn({ error, agent: agent.profile.providerId }, "an idle agent could not be stopped"));
	}

	#forget(key: string, agent: AgentConnection): void {
		if (this.#idle.get(key)?.agent === agent) this.#remove(key);
	}

	#remove(key: string): AgentConnection | undefined {
		const idle = this.#idle.get(key);
		clearTimeout(idle?.timer);
		this.#idle.delete(key);
		return idle?.agent;
	}
}
