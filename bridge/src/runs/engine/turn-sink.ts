import type { Redaction, RejectedArtifact } from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import type { PermissionAnswer, PermissionRequest, TurnSink } from "../../ports/agents/provider.ts";
import type { ProgramLog } from "../../ports/programs/program-log.ts";
import type { ProviderUpdate } from "../../ports/runs/run-event.ts";
import type { ProviderSession, SessionStore } from "../../ports/runs/session-store.ts";
import type { Reporter } from "../domain/reported-receipts.ts";
import type { LiveRun } from "./live-run.ts";

export interface TurnSinkDeps {
	readonly run: LiveRun;
	readonly broker: ApprovalBroker;
	readonly sessions: SessionStore;
	/** Set for a provider whose turns are programs. */
	readonly program?: ProgramLog | undefined;
	readonly runLogBytes: number;
	readonly redaction: Redaction;
	/** Called when the run has produced more than its log may hold. */
	readonly onFlood: () => void;
	/**
	 * Called, possibly more than once, when the runtime has the turn or is about to get it. From then on, a crash of the bridge is not blamed
	 * on the turn.
	 */
	readonly onHandedOver: () => void;
}

/** The port through which a provider writes the run's log. */
export class RunTurnSink implements TurnSink {
	readonly #deps: TurnSinkDeps;
	readonly program?: ProgramLog;
	readonly #rejected: RejectedArtifact[] = [];
	readonly #reporter: Reporter | undefined;
	#flooded = false;

	constructor(deps: TurnSinkDeps) {
		this.#deps = deps;
		const { runId, provider } = deps.run.record;
		// Calls that the bridge itself executes need no reports.
		if (deps.program === undefined) this.#reporter = { runId, providerId: provider.providerId, redaction: deps.redaction };
		if (deps.program !== undefined) this.program = deps.program;
	}

	/** The files that the provider refused to write. */
	get rejected(): readonly RejectedArtifact[] {
		return this.#rejected;
	}

	async handOver(): Promise<void> {
		const { run, onHandedOver } = this.#deps;
		run.dispatch({ type: "hand_over" });
		await run.durable();
		onHandedOver();
	}

	async emit(update: ProviderUpdate): Promise<void> {
		const { run, runLogBytes, onFlood, onHandedOver } = this.#deps;
		if (this.#flooded) return;
		onHandedOver();
		// Only a notice may be sent before the hand-over. Any other update comes from the runtime.
		if (update.kind !== "notice" && !run.state.handedOver) run.dispatch({ type: "hand_over" });
		run.dispatch({ type: "say", update, ...(this.#reporter === undefined ? {} : { reporter: this.#reporter }) });
		if (run.saidBytes > runLogBytes) {
			this.#flooded = true;
			onFlood();
		}
		await run.writable();
	}

	requestPermission(request: PermissionRequest): Promise<PermissionAnswer> {
		this.#deps.onHandedOver();
		return this.#deps.broker.ask(this.#deps.run, request);
	}

	rejectArtifact(rejected: RejectedArtifact): void {
		this.#rejected.push(rejected);
	}

	async saveSession(session: ProviderSession | undefined): Promise<void> {
		const { threadId, provider } = this.#deps.run.record;
		await this.#deps.sessions.saveProviderSession(threadId, provider.providerId, session);
	}
}
