import type { Logger } from "pino";
import type { ProviderTurn, TurnSink } from "../../ports/agents/provider.ts";
import type { SandboxTools } from "../../ports/programs/sandbox.ts";
import type { ProviderUpdate } from "../../ports/runs/run-event.ts";
import { TIMED_OUT, within } from "../../sandbox/within.ts";
import { ToolCalls } from "../tool-calls.ts";
import type { ScopeFiles } from "./scope-files.ts";
import { ScriptBudget } from "./script-budget.ts";
import type { ScriptLimits } from "./script-limits.ts";
import { type ScriptContext, scriptTools } from "./script-tools.ts";
import { WriteRecord } from "./write-record.ts";

const SETTLE_MS = 5_000;

export interface ProgramToolsDeps {
	readonly turn: Pick<ProviderTurn, "artifactDirectory" | "runId">;
	readonly sink: TurnSink;
	readonly limits: ScriptLimits;
	/** Shows an update. Resolves later if the log is behind. */
	readonly show: (update: ProviderUpdate) => Promise<void>;
	readonly log: Pick<Logger, "warn">;
}

/** The built-in tools of one program, and how much of them it may still use. */
export class ProgramTools implements AsyncDisposable {
	readonly #deps: ProgramToolsDeps;
	readonly #files: ScopeFiles;
	readonly budget: ScriptBudget;
	readonly calls: ToolCalls<ScriptContext>;
	readonly writes: WriteRecord;

	constructor(deps: ProgramToolsDeps, files: ScopeFiles) {
		this.#deps = deps;
		this.#files = files;
		this.budget = new ScriptBudget(deps.limits);
		this.writes = new WriteRecord(deps.sink, deps.show);
		const { budget, writes } = this;
		this.calls = new ToolCalls({
			context: { artifactDirectory: deps.turn.artifactDirectory, files, budget, writes },
			spend: () => budget.spend("toolCalls", 1),
			show: deps.show,
		});
	}

	/** The functions that the program calls. */
	get functions(): SandboxTools {
		return scriptTools.hostFunctions((tool, passed, call) => this.calls.invoke(tool, passed, call));
	}

	/** Waits for calls that are still running, but no longer than 5 s. */
	async settle(): Promise<void> {
		if ((await within(this.calls.settled(), SETTLE_MS)) !== TIMED_OUT) return;
		this.#deps.log.warn({ runId: this.#deps.turn.runId }, "a tool call is still running after its script ended");
	}

	async [Symbol.asyncDispose](): Promise<void> {
		// Leftovers in the staging folder are never artifacts, so they do not change how the run ended.
		await this.#files.close().catch((err: unknown) => this.#deps.log.warn({ err }, "a script's staging folder could not be removed"));
	}
}
