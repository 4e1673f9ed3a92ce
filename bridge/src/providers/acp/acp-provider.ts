import type { ProviderFeatures, ProviderId, RunId, SessionId, Unavailable } from "@xworkmate/contracts";
import type {
	AgentProgram,
	AgentVariables,
	InstalledPrograms,
	ManagedAgent,
	OfferedSignIn,
	Probed,
} from "../../ports/agents/managed-agent.ts";
import type { ProcessLedger } from "../../ports/agents/process-ledger.ts";
import type { Availability, Provider, ProviderTurn, TurnSink } from "../../ports/agents/provider.ts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";
import type { CommandLookup } from "../catalogue/catalogue-lookup.ts";
import { openConversation } from "./conversation.ts";
import type { IdleAgents } from "./idle-agents.ts";
import type { AcpBounds } from "./process/acp-bounds.ts";
import { AgentConnection } from "./process/agent-connection.ts";
import { agentEnvironment, type Environment, withLastPath } from "./process/agent-environment.ts";
import { AgentFailure } from "./process/agent-failure.ts";
import type { AgentLaunch } from "./process/agent-launch.ts";
import type { AgentLog } from "./process/agent-report.ts";
import { Stopped } from "./process/bounded.ts";
import { notInstalled } from "./process/launch.ts";
import { type ModelChoice, selectModel } from "./process/model-choice.ts";
import { offeredSignIn } from "./process/offered-sign-in.ts";
import { onAbort } from "./process/on-abort.ts";
import { inTemporaryFolder, testAgent, testStopped } from "./test-agent.ts";
import { AgentTurn } from "./turn/agent-turn.ts";
import { lateNotice, restartNotice, unreadableNotice } from "./turn/turn-notices.ts";

export interface AcpProviderDeps {
	readonly lookup: CommandLookup;
	/** Finds the programs that the bridge installed, which take precedence over those on PATH. */
	readonly installed: InstalledPrograms;
	readonly variables: AgentVariables;
	readonly environment: Environment;
	readonly ledger: ProcessLedger;
	readonly idle: IdleAgents;
	readonly bounds: AcpBounds;
	readonly log: AgentLog;
}

/** Runs any agent that supports the Agent Client Protocol over stdio, with one process group per session. */
export class AcpProvider implements Provider, ManagedAgent {
	readonly target = "agent";
	readonly handsOver = true;
	readonly providerId: ProviderId;
	readonly label: string;
	readonly isDefined: boolean;
	readonly #profile: AgentLaunch;
	readonly #deps: AcpProviderDeps;
	readonly #busy = new Map<SessionId, AgentConnection>();
	/** All work that is running, such as turns and tests, each with the controller that stops it. */
	readonly #running = new Map<AbortController, Promise<unknown>>();
	#closing = false;
	#models: ModelChoice | undefined;
	#resumes: boolean;
	#offered: readonly OfferedSignIn[] | undefined;

	constructor(profile: AgentLaunch, deps: AcpProviderDeps) {
		this.providerId = profile.providerId;
		this.label = profile.label;
		this.isDefined = !profile.isCatalogued;
		this.#profile = profile;
		this.#deps = deps;
		this.#resumes = profile.resumes;
	}

	get features(): ProviderFeatures {
		return { approvals: true, followUp: true, resume: this.#resumes, attachments: true };
	}

	async availability(): Promise<Availability> {
		if ((await this.#find()) === undefined) return { available: false, unavailable: notInstalled(this.#profile) };
		return availableWith(this.#models);
	}

	async test(signal: AbortSignal): Promise<Availability> {
		const program = await this.#find();
		if (program === undefined) return { available: false, unavailable: notInstalled(this.#profile) };
		const { problem, models } = await this.#stoppable(signal, (stop) => {
			const limit = { ms: this.#deps.bounds.handshakeMs, stop };
			return testAgent((workingDirectory) => this.#start(program, workingDirectory, stop), { profile: this.#profile, program }, limit);
		});
		// The agent was ended together with the bridge, so the failure of the test says nothing about the agent.
		if (problem !== undefined) return { available: false, unavailable: this.#closing ? testStopped(this.#profile) : problem };
		this.#models = models ?? this.#models;
		return availableWith(models);
	}

	runTurn(turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome> {
		return this.#stoppable(stop, async (stopping) => {
			try {
				return await this.#run(turn, sink, stopping);
			} catch (error) {
				if (error instanceof Stopped || (error instanceof AgentFailure && stopping.aborted)) return { kind: "cancelled", remote: false };
				if (error instanceof AgentFailure) return error.outcome;
				throw error;
			}
		});
	}

	get isWorking(): boolean {
		return this.#running.size > 0;
	}

	get offered(): readonly OfferedSignIn[] | undefined {
		return this.#offered;
	}

	async invocation() {
		const program = await this.#find();
		if (program === undefined) return undefined;
		const { args, environment } = this.#profile;
		return { command: program.command, args: [...program.before, ...args], env: environment };
	}

	async probe(program: AgentProgram, signal: AbortSignal): Promise<Probed> {
		const before = this.#offered;
		const problem = await this.#stoppable(signal, (stop) =>
			inTemporaryFolder({ profile: this.#profile, program }, async (folder) => {
				const agent = await this.#start(program, folder, stop);
				await agent.kill();
				return undefined;
			}),
		);
		if (problem === undefined) return { offered: this.#offered ?? [] };
		this.#offered = before;
		return { problem };
	}

	async authenticate(methodId: string, signal: AbortSignal): Promise<Unavailable | undefined> {
		const program = await this.#find();
		if (program === undefined) return notInstalled(this.#profile);
		return this.#stoppable(signal, (stop) =>
			inTemporaryFolder({ profile: this.#profile, program }, async (folder) => {
				const agent = await this.#start(program, folder, stop);
				try {
					await agent.request("authenticate", { methodId }, { stop });
					return undefined;
				} finally {
					await agent.kill();
				}
			}),
		);
	}

	async endIdle(): Promise<void> {
		await Promise.all(this.#deps.idle.takeAll(this.#keyPrefix).map((agent) => agent.end()));
	}

	async releaseSession(sessionId: SessionId): Promise<void> {
		await Promise.all([this.#deps.idle.take(this.#key(sessionId))?.end(), this.#busy.get(sessionId)?.kill()]);
	}

	async close(): Promise<void> {
		this.#closing = true;
		for (const stopping of this.#running.keys()) stopping.abort();
		const idle = this.#deps.idle.takeAll(this.#keyPrefix).map((agent) => agent.end());
		const busy = [...this.#busy.values()].map((agent) => agent.kill());
		await Promise.all([...idle, ...busy]);
		await Promise.allSettled(this.#running.values());
	}

	/**
	 * Runs `work` with a signal that is aborted by `stop` or by the end of this provider. Removes its listener afterwards, because `stop` may
	 * live longer than the work.
	 */
	async #stoppable<T>(stop: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
		const stopping = new AbortController();
		using _forwarded = onAbort(stop, () => stopping.abort());
		if (this.#closing) stopping.abort();
		const working = work(stopping.signal);
		this.#running.set(stopping, working);
		try {
			return await working;
		} finally {
			this.#running.delete(stopping);
		}
	}

	async #run(turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome> {
		if (stop.aborted) throw new Stopped();
		const agent = await this.#agentFor(turn, stop);
		this.#busy.set(turn.sessionId, agent);
		try {
			const conversationId = await this.#open(agent, turn, sink, stop);
			await this.#chooseModel(agent, turn.model, stop);
			const prompt = new AgentTurn(agent, conversationId, sink, this.#deps.bounds);
			if (agent.report.lateBefore.length > 0) await sink.emit(lateNotice(agent.report.lateBefore));
			await sink.handOver();
			agent.report.beginPrompt();
			const outcome = await prompt.run(turn, stop);
			if (prompt.ignoredUpdates > 0) {
				this.#deps.log.debug({ agent: this.providerId, count: prompt.ignoredUpdates }, "updates were ignored");
			}
			if (agent.report.unreadable > 0) await sink.emit(unreadableNotice(agent.report.unreadable));
			return outcome;
		} finally {
			this.#busy.delete(turn.sessionId);
			agent.report.finish();
			await this.#keep(agent, turn.sessionId);
		}
	}

	/** The session's agent if it holds the turn's conversation, otherwise a new one. */
	async #agentFor(turn: ProviderTurn, stop: AbortSignal): Promise<AgentConnection> {
		const held = this.#deps.idle.take(this.#key(turn.sessionId));
		if (held !== undefined && holds(held, turn)) {
			held.begin(turn.runId);
			return held;
		}
		await held?.end();
		const program = await this.#find();
		if (program === undefined) {
			const { message, fix } = notInstalled(this.#profile);
			throw new AgentFailure("PROVIDER_ERROR", `${message} ${fix}`);
		}
		return this.#start(program, turn.workingDirectory, stop, turn.runId);
	}

	async #find(): Promise<AgentProgram | undefined> {
		const { lookup, installed } = this.#deps;
		const { providerId, command: name, isCatalogued } = this.#profile;
		const program = isCatalogued ? await installed.find(providerId) : undefined;
		if (program !== undefined) return program;
		const command = await lookup.find(name);
		return command === undefined ? undefined : { command, before: [] };
	}

	async #start(program: AgentProgram, workingDirectory: string, stop: AbortSignal, runId?: RunId): Promise<AgentConnection> {
		const { environment: base, variables, ledger, bounds, log } = this.#deps;
		const { defaultEnvironment, environment: own, providerId, args } = this.#profile;
		const given = { ...own, ...variables.of(providerId) };
		const environment = withLastPath(agentEnvironment(base, defaultEnvironment, given), program.lastPath);
		const start = { profile: this.#profile, command: program.command, args: [...program.before, ...args], environment, workingDirectory };
		const agent = await AgentConnection.start({ ...start, label: `acp/${providerId}`, ledger, bounds, log, runId }, stop);
		this.#offered = agent.capabilities.authMethods.flatMap((method) => offeredSignIn(method) ?? []);
		return agent;
	}

	/** Opens the turn's conversation. The agent's id for it is saved before the first message. */
	async #open(agent: AgentConnection, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<string> {
		if (agent.conversation !== undefined) return agent.conversation.conversationId;
		const opened = await openConversation(agent, turn, { ms: this.#deps.bounds.handshakeMs, stop });
		const { conversationId, restarted } = opened;
		const isContinued = turn.session !== undefined && restarted === undefined;
		if (opened.models !== undefined || !isContinued) this.#models = opened.models;
		// An agent that continues a conversation might not list its models. The current model is then unknown.
		const models = opened.models ?? (this.#models && { ...this.#models, current: undefined });
		agent.conversation = { conversationId, models, initialModel: this.#models?.current };
		this.#resumes = (agent.capabilities.resumes || agent.capabilities.loads) && this.#profile.loadDefect === undefined;
		await sink.saveSession({ providerSessionId: conversationId, workingDirectory: turn.workingDirectory });
		if (restarted !== undefined) await sink.emit(restartNotice(restarted));
		return conversationId;
	}

	/**
	 * A turn that names no model gets the model that the conversation began with, not that of the last turn. If the current model isn't
	 * known, nothing is switched, because no turn in this process has chosen another model.
	 */
	async #chooseModel(agent: AgentConnection, wanted: string | undefined, stop: AbortSignal): Promise<void> {
		const { conversation } = agent;
		const model = wanted ?? (conversation?.models?.current && conversation.initialModel);
		if (conversation === undefined || model === undefined || model === conversation.models?.current) return;
		const limit = { ms: this.#deps.bounds.handshakeMs, stop };
		const current = await selectModel(agent, conversation.conversationId, conversation.models, model, limit);
		if (conversation.models !== undefined) agent.conversation = { ...conversation, models: { ...conversation.models, current } };
	}

	async #keep(agent: AgentConnection, sessionId: SessionId): Promise<void> {
		const wanted = agent.alive && agent.conversation !== undefined && !this.#closing;
		if (wanted) this.#deps.idle.keep(this.#key(sessionId), agent);
		else await agent.kill();
	}

	get #keyPrefix(): string {
		return `${this.providerId} `;
	}

	#key(sessionId: SessionId): string {
		return this.#keyPrefix + sessionId;
	}
}

function availableWith(models: ModelChoice | undefined): Availability {
	return models === undefined ? { available: true } : { available: true, models: models.offered.map(({ value }) => value) };
}

function holds(agent: AgentConnection, { session, workingDirectory }: ProviderTurn): boolean {
	return (
		session !== undefined &&
		agent.conversation?.conversationId === session.providerSessionId &&
		agent.workingDirectory === session.workingDirectory &&
		agent.workingDirectory === workingDirectory
	);
}
