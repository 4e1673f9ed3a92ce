import type { FailedCode } from "@xworkmate/contracts";
import type { Logger } from "pino";
import { type CheckedProgram, CheckerUnavailableError, type CheckResult, type ProgramChecker } from "../../ports/program-checker.ts";
import type { ProviderTurn, TurnSink } from "../../ports/provider.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../ports/run-event.ts";
import type { Sandbox, SandboxOutcome } from "../../ports/sandbox.ts";
import { TIMED_OUT, within } from "../../sandbox/within.ts";
import { ToolCalls } from "../../tools/tool-calls.ts";
import { piecesOf } from "../preview.ts";
import { UpdateQueue } from "../update-queue.ts";
import { failureMessage, positioned } from "./script-messages.ts";
import { parsePrompt, type ScriptProgram } from "./script-program.ts";
import { ScopeFiles } from "./tools/scope-files.ts";
import { ScriptBudget } from "./tools/script-budget.ts";
import { checkLimitMessage, limitMessage, type ScriptLimits } from "./tools/script-limits.ts";
import { type ScriptContext, scriptTools } from "./tools/script-tools.ts";
import { WriteRecord } from "./tools/write-record.ts";

const SETTLE_MS = 5_000;
const MAX_MESSAGES = 200;
/** How many updates may wait for the log before the program is paused. */
const MAX_BACKLOG = 64;
const MAX_DELTA_UNITS = 8192;

export interface ScriptTurnDeps {
	readonly sandbox: Sandbox;
	readonly checker: ProgramChecker;
	readonly limits: ScriptLimits;
	readonly log: Pick<Logger, "error" | "warn">;
}

/** Runs the program of one turn. Rejects only if the run's log or its directory cannot be used. */
export async function runScriptTurn(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome> {
	const parsed = parsePrompt(turn.prompt);
	if (!parsed.ok) return failed("SCRIPT_INVALID", parsed.message);
	if (Buffer.byteLength(parsed.program.source) > deps.limits.programBytes) {
		return failed("LIMIT_EXCEEDED", limitMessage("programBytes", deps.limits));
	}
	deps.sandbox.prepare();
	const check = await checkProgram(deps, parsed.program, stop);
	if (stop.aborted) return { kind: "cancelled", remote: false };
	if (check === undefined)
		return failed("INTERNAL", "The type checker is not available, so nothing was run; the bridge's log has the cause.");
	if (check.kind === "too_slow" || check.kind === "too_large") return failed("LIMIT_EXCEEDED", checkLimitMessage(check));
	if (check.kind === "invalid") return failed("SCRIPT_INVALID", failureMessage(check.problems, parsed.program));
	await sink.handOver();
	await using run = await ScriptRun.open(deps, turn, sink, stop);
	return await run.execute(check.program, parsed.program); // Awaited here, because otherwise the run would be disposed of while it is running.
}

/** undefined: there was no check, because of a stop or for a reason that is in the log. */
async function checkProgram(deps: ScriptTurnDeps, program: ScriptProgram, stop: AbortSignal): Promise<CheckResult | undefined> {
	const stopped = Promise.withResolvers<undefined>();
	const onStop = (): void => stopped.resolve(undefined);
	stop.addEventListener("abort", onStop);
	if (stop.aborted) onStop();
	try {
		return await Promise.race([deps.checker.check({ ...program, declarations: scriptTools.declarations }, stop), stopped.promise]);
	} catch (error) {
		if (stop.aborted) return undefined;
		if (!(error instanceof CheckerUnavailableError)) throw error;
		deps.log.error({ err: error }, "the type checker is not available");
		return undefined;
	} finally {
		stop.removeEventListener("abort", onStop);
	}
}

class ScriptRun implements AsyncDisposable {
	readonly #deps: ScriptTurnDeps;
	readonly #turn: ProviderTurn;
	readonly #files: ScopeFiles;
	readonly #stop: AbortSignal;
	readonly #budget: ScriptBudget;
	readonly #updates: UpdateQueue;
	readonly #calls: ToolCalls<ScriptContext>;
	readonly #writes: WriteRecord;
	readonly #onStop = (): void => this.#budget.halt({ kind: "stopped" });

	private constructor(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal, files: ScopeFiles) {
		this.#deps = deps;
		this.#turn = turn;
		this.#files = files;
		this.#stop = stop;
		this.#budget = new ScriptBudget(deps.limits);
		this.#updates = new UpdateQueue(sink, MAX_BACKLOG);
		void this.#updates.failed.then(this.#onStop);
		const show = (update: ProviderUpdate) => this.#show(update);
		this.#writes = new WriteRecord(sink, show);
		this.#calls = new ToolCalls({
			context: { artifactDirectory: turn.artifactDirectory, files, budget: this.#budget, writes: this.#writes },
			spend: () => this.#budget.spend("toolCalls", 1),
			show,
		});
		stop.addEventListener("abort", this.#onStop);
		if (stop.aborted) this.#onStop();
	}

	static async open(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ScriptRun> {
		return new ScriptRun(deps, turn, sink, stop, await ScopeFiles.open(turn.artifactDirectory));
	}

	async execute(program: CheckedProgram, asWritten: ScriptProgram): Promise<ProviderOutcome> {
		const { limits } = this.#deps;
		const ended = await this.#deps.sandbox.run({
			program,
			tools: scriptTools.hostFunctions((tool, passed) => this.#calls.invoke(tool, passed)),
			print: (_level, text) => this.#print(text),
			limits,
			signal: this.#budget.signal,
		});
		const outcome = await this.#outcome(ended, asWritten);
		await this.#updates.drained();
		return outcome;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stop.removeEventListener("abort", this.#onStop);
		// Leftovers of the staging folder are never artifacts, so they do not change how the run ended.
		await this.#files.close().catch((err: unknown) => this.#deps.log.warn({ err }, "a script's staging folder could not be removed"));
	}

	async #print(text: string): Promise<void> {
		const line = `${text.toWellFormed()}\n`;
		if (!this.#budget.spend("consoleLines", 1) || !this.#budget.spend("outputBytes", Buffer.byteLength(line))) return;
		// Text after a call starts a new message, so that it is shown below the call; output of a long loop stays one message.
		const made = Math.min(this.#calls.made, MAX_MESSAGES);
		await this.#say(`${this.#turn.runId}-console${made === 0 ? "" : `-${made}`}`, line);
	}

	/** Sends a piece of a message in deltas of limited size. */
	async #say(messageId: string, text: string): Promise<void> {
		for (const piece of piecesOf(text, MAX_DELTA_UNITS)) await this.#show({ kind: "message_delta", messageId, text: piece });
	}

	/** Resolves later if the log is behind. */
	async #show(update: ProviderUpdate): Promise<void> {
		this.#updates.push(update);
		await this.#updates.ready();
	}

	async #outcome(ended: SandboxOutcome, asWritten: ScriptProgram): Promise<ProviderOutcome> {
		const returned = ended.kind === "returned";
		// However the sandbox ended, calls that are still open end now, before the turn does.
		if (!returned) this.#budget.halt({ kind: "stopped" });
		if ((await within(this.#calls.settled(), SETTLE_MS)) === TIMED_OUT) {
			this.#deps.log.warn({ runId: this.#turn.runId }, "a tool call of an ended script does not end");
		}
		if (returned && ended.text !== undefined) await this.#sayResult(ended.text);
		return this.#verdict(ended, asWritten);
	}

	/** A stop after the program has returned is too late: its output counts. */
	async #sayResult(text: string): Promise<void> {
		if (!this.#budget.spend("outputBytes", Buffer.byteLength(text)) && this.#budget.cause?.kind === "limit") return;
		await this.#say(`${this.#turn.runId}-result`, text.toWellFormed());
	}

	#verdict(ended: SandboxOutcome, asWritten: ScriptProgram): ProviderOutcome {
		const { limits, log } = this.#deps;
		const { cause } = this.#budget;
		if (cause?.kind === "limit") return failed("LIMIT_EXCEEDED", limitMessage(cause.limit, limits));
		switch (ended.kind) {
			case "limit":
				return failed("LIMIT_EXCEEDED", limitMessage(ended.limit, limits));
			case "threw":
				return failed("SCRIPT_ERROR", positioned(ended.position, ended.message, asWritten));
			case "unreadable":
				return failed("SCRIPT_INVALID", positioned(ended.position, ended.message, asWritten));
			case "aborted":
				return { kind: "cancelled", remote: false };
			case "broken":
				log.error({ err: ended.cause, runId: this.#turn.runId }, "the sandbox failed");
				return failed("INTERNAL", "The sandbox failed; the bridge's log has the cause.");
			case "returned": {
				const failure = this.#writes.failure;
				return failure === undefined ? { kind: "ended" } : failed("TOOL_FAILED", failure);
			}
		}
	}
}

function failed(code: FailedCode, message: string): ProviderOutcome {
	return { kind: "failed", code, message };
}
