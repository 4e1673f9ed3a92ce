import { ProviderId, type RunId, type SessionId, type Unavailable } from "@xworkmate/contracts";
import type { Availability, EndedTurn, FetchSink, Loss, Provider, ProviderTurn, TurnSink } from "../../ports/agents/provider.ts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";
import { notAnswering } from "./diagnose-gateway.ts";
import { GatewayApi } from "./gateway/gateway-api.ts";
import type { GatewayBounds } from "./gateway/gateway-bounds.ts";
import { type ConnectionDeps, GatewayConnection, type GatewayLog } from "./gateway/gateway-connection.ts";
import type { GatewayLink } from "./gateway/gateway-link.ts";
import { GatewayDoctor } from "./gateway-doctor.ts";
import type { ArtifactSource } from "./transfer/artifact-source.ts";
import { fetchArtifacts } from "./transfer/fetch-artifacts.ts";
import { addressees } from "./turn/addressees.ts";
import { GatewayTurn } from "./turn/gateway-turn.ts";
import { newSessionKey, storedSessionKey } from "./turn/session-key.ts";

export interface OpenClawProviderDeps {
	readonly connection: Omit<ConnectionDeps, "bounds" | "log">;
	readonly source: ArtifactSource;
	readonly bounds: GatewayBounds;
	readonly log: GatewayLog;
	/** Allows a gateway of a version that the plugin was not tested with. */
	readonly allowUntested: boolean;
}

/** An OpenClaw gateway with the XWorkmate plugin, as one provider of the gateway target. */
export class OpenClawProvider implements Provider {
	readonly providerId = ProviderId.parse("openclaw");
	readonly label = "OpenClaw";
	readonly target = "gateway";
	readonly features = { approvals: true, followUp: true, resume: true, attachments: true };
	readonly resumable = true;
	readonly #deps: OpenClawProviderDeps;
	readonly #connection: GatewayConnection;
	readonly #api: GatewayApi;
	readonly #doctor: GatewayDoctor;
	readonly #turns = new Map<RunId, GatewayTurn>();
	/** Runs whose outcome is unknown because the gateway was unavailable. As long as it stays unavailable, nothing waits for their files. */
	readonly #unreached = new Set<RunId>();
	#ignored = 0;

	constructor(deps: OpenClawProviderDeps) {
		this.#deps = deps;
		const { bounds, log } = deps;
		this.#connection = new GatewayConnection({ ...deps.connection, bounds, log }, this);
		this.#api = new GatewayApi(this.#connection);
		this.#doctor = new GatewayDoctor(deps);
		this.#connection.start();
	}

	availability(): Promise<Availability> {
		return this.#availability((link) => this.#doctor.problemOf(link), this.#deps.bounds.availabilityMs);
	}

	/** Each step of the test has its own time limit, so it needs no signal. */
	test(): Promise<Availability> {
		return this.#availability((link) => this.#doctor.examine(link), this.#deps.bounds.testMs);
	}

	async runTurn(turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome> {
		const { bounds, log } = this.#deps;
		const running = new GatewayTurn({ connection: this.#connection, api: this.#api, bounds, log }, turn, sink, stop);
		this.#turns.set(turn.runId, running);
		try {
			const outcome = await running.run();
			if (outcome.kind === "lost" && this.#connection.link === undefined) this.#unreached.add(turn.runId);
			return outcome;
		} finally {
			this.#turns.delete(turn.runId);
			if (running.ignoredEvents > 0) log.debug({ runId: turn.runId, count: running.ignoredEvents }, "events of unknown kinds were ignored");
		}
	}

	async fetchArtifacts(turn: EndedTurn, sink: FetchSink, signal: AbortSignal): Promise<Loss | undefined> {
		const { runId, threadId, artifactScope } = turn;
		if (this.#unreached.delete(runId) && this.#connection.link === undefined) {
			return { kind: "lost", code: "GATEWAY_LOST", message: "The gateway can't be reached." };
		}
		const sessionKey = storedSessionKey(turn.session) ?? newSessionKey(threadId, runId);
		const { source, bounds } = this.#deps;
		const deps = { connection: this.#connection, api: this.#api, source, bounds };
		return fetchArtifacts(deps, { runId, sessionKey, artifactScope }, turn, sink, signal);
	}

	/** An idle conversation on the gateway uses no resources. */
	async releaseSession(_sessionId: SessionId): Promise<void> {}

	/** Runs continue on the gateway, and the next bridge follows them. */
	async close(): Promise<void> {
		await this.#connection.close();
		if (this.#ignored > 0) this.#deps.log.debug({ count: this.#ignored }, "events that belong to no run of this bridge were ignored");
	}

	onEvent(event: string, payload: unknown): void {
		if (this.#turns.size === 0) this.#ignored++;
		for (const turn of addressees(event, payload, this.#turns)) turn.onEvent(event, payload);
	}

	onLink(_link: GatewayLink): void {
		for (const turn of this.#turns.values()) turn.onLink();
	}

	onLoss(): void {
		for (const turn of this.#turns.values()) turn.onLoss();
	}

	async #availability(diagnose: (link: GatewayLink) => Promise<Unavailable | undefined>, ms: number): Promise<Availability> {
		await this.#connection.attempt(ms);
		const { link, problem } = this.#connection;
		const unavailable = link === undefined ? (problem?.unavailable ?? notAnswering) : await diagnose(link);
		return unavailable === undefined ? { available: true } : { available: false, unavailable };
	}
}
