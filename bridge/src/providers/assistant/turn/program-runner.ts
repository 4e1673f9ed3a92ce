import { omitUndefined } from "@xworkmate/contracts";
import type { Logger } from "pino";
import type { Parked, ProviderTurn, TurnSink } from "../../../ports/agents/provider.ts";
import type { CheckedProgram, ProgramChecker } from "../../../ports/programs/program-checker.ts";
import type { ProgramLog } from "../../../ports/programs/program-log.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../../ports/runs/run-event.ts";
import type { RunStep } from "../../../ports/runs/run-step.ts";
import { type ProgramEnd, type ProgramEngineDeps, runProgram } from "../../../programs/program-engine.ts";
import { ProgramHistory } from "../../../programs/program-history.ts";
import type { RunHistory } from "../../../programs/run-history.ts";
import { checkProgram } from "../../../tools/built-in/check-program.ts";
import { positioned } from "../../../tools/built-in/positioned.ts";
import { ProgramTools } from "../../../tools/built-in/program-tools.ts";
import { ScopeFiles } from "../../../tools/built-in/scope-files.ts";
import { checkLimitMessage, limitMessage } from "../../../tools/built-in/script-limits.ts";
import { activityLines } from "../answer/answer-words.ts";
import type { AssistantLimits } from "./assistant-limits.ts";
import { boundedText } from "./bounded-text.ts";
import type { RecordedCall } from "./recorded-turn.ts";

const MAX_PROBLEMS = 10;
const AS_WRITTEN = { fenced: false };

export interface ProgramRunnerDeps extends ProgramEngineDeps {
	readonly checker: ProgramChecker;
	readonly limits: AssistantLimits;
	readonly log: Pick<Logger, "error" | "warn">;
}

export interface RunnerTurn {
	readonly turn: ProviderTurn;
	readonly sink: TurnSink;
	readonly program: ProgramLog;
	readonly history: RunHistory | undefined;
	/** Shows an update, except for what was shown before. Waits if the log is behind. */
	readonly show: (update: ProviderUpdate) => Promise<void>;
	readonly stop: AbortSignal;
}

/** What a program's end leads to: words for the model, or the turn's end. */
export type ProgramResult =
	| { readonly kind: "told"; readonly text: string; readonly isError: boolean; readonly program?: ProgramFacts }
	| { readonly kind: "over"; readonly outcome: ProviderOutcome | Parked };

type ProgramFacts = NonNullable<Extract<RunStep, { kind: "told" }>["program"]>;

/** Runs the programs of one turn, one after another. */
export class ProgramRunner {
	readonly #deps: ProgramRunnerDeps;
	readonly #turn: RunnerTurn;
	#calls = 0;
	#typedCalls = 0;
	#written = 0;

	constructor(deps: ProgramRunnerDeps, turn: RunnerTurn) {
		this.#deps = deps;
		this.#turn = turn;
	}

	/** How many writes of the turn's programs succeeded: a file that is written twice counts twice. */
	get written(): number {
		return this.#written;
	}

	/** If a program that had ended wrote files, reruns it only to make them again. Undefined: the turn continues. */
	async again({ program: steps, told }: RecordedCall): Promise<ProviderOutcome | Parked | undefined> {
		const facts = told?.program;
		if (facts === undefined) return undefined;
		if (facts.wroteFiles) {
			const history = this.#historyOf(steps);
			const ran = history && (await this.#run(history.program, history, facts.calls));
			if (ran !== undefined && "outcome" in ran) return ran.outcome;
		}
		this.#calls = facts.calls;
		this.#typedCalls = facts.typedCalls;
		return undefined;
	}

	/** Checks a program and runs it. A recorded one continues where it left off. */
	async execute(source: string, recorded: RecordedCall | undefined): Promise<ProgramResult> {
		const { limits } = this.#deps;
		const history = recorded === undefined ? undefined : this.#historyOf(recorded.program);
		if (history === undefined && Buffer.byteLength(source) > limits.program.programBytes) {
			return { kind: "told", text: limitMessage("programBytes", limits.program), isError: true };
		}
		const checked = history?.program ?? (await this.#checked(source));
		if ("kind" in checked) return checked;
		const ran = await this.#run(checked, history, undefined);
		if ("outcome" in ran) return { kind: "over", outcome: ran.outcome };
		const activity = activityLines(this.#turn.program.activity).join("\n");
		const { resultBytes } = limits;
		const parts = [
			boundedText(ran.text, resultBytes / 2),
			...(ran.printed === "" ? [] : [`Console:\n${boundedText(ran.printed, resultBytes / 4 - 64)}`]),
			`Activity of this turn:\n${boundedText(activity, resultBytes / 4 - 64)}`,
		];
		return { kind: "told", text: parts.join("\n\n"), isError: ran.isError, program: ran.facts };
	}

	#historyOf(steps: readonly RunStep[]): ProgramHistory | undefined {
		const { history } = this.#turn;
		return history === undefined || steps.length === 0 ? undefined : new ProgramHistory(history, steps);
	}

	async #checked(source: string): Promise<CheckedProgram | ProgramResult> {
		const { stop, turn } = this.#turn;
		const signal = turn.suspend === undefined ? stop : AbortSignal.any([stop, turn.suspend]);
		const catalogue = await this.#deps.hosts.catalogue();
		const check = await checkProgram(this.#deps, { source, language: "typescript" }, catalogue, signal);
		if (stop.aborted) return { kind: "over", outcome: { kind: "cancelled", remote: false } };
		if (signal.aborted) return { kind: "over", outcome: { kind: "parked", waiting: 0 } };
		if (check === undefined) return over("The type checker is not available, so nothing was run; the bridge's log has the cause.");
		if (check.kind === "checked") return check.program;
		if (check.kind !== "invalid") return { kind: "told", text: checkLimitMessage(check), isError: true };
		const lines = check.problems.slice(0, MAX_PROBLEMS).map(({ position, message }) => positioned(position, message, AS_WRITTEN));
		const more = check.problems.length - lines.length;
		const text = ["The program was not run, because it has errors:", ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
		return { kind: "told", text: boundedText(text, this.#deps.limits.resultBytes), isError: true };
	}

	/** `until`: the number of the program's last call, if it had ended already and is run again only for its files. */
	async #run(program: CheckedProgram, history: ProgramHistory | undefined, until: number | undefined) {
		const { turn, sink, program: log, show, stop } = this.#turn;
		const limits = this.#deps.limits.program;
		const toolDeps = { turn, sink, limits, show, log: this.#deps.log };
		await using tools = new ProgramTools(toolDeps, await ScopeFiles.open(turn.artifactDirectory));
		const onStop = (): void => tools.budget.halt({ kind: "stopped" });
		stop.addEventListener("abort", onStop);
		if (stop.aborted) onStop();
		const printed: string[] = [];
		let typedCalls = 0;
		try {
			const ended = await runProgram(this.#deps, {
				program,
				builtIn: tools.functions,
				catalogue: await this.#deps.hosts.catalogue(),
				log,
				...omitUndefined({ history, suspend: turn.suspend }),
				print: async (_level, text) => {
					const line = text.toWellFormed();
					if (tools.budget.spend("consoleLines", 1) && tools.budget.spend("outputBytes", Buffer.byteLength(line))) printed.push(line);
				},
				show: (update) => void show(update),
				onTypedCall: (call) => {
					typedCalls += 1;
					tools.calls.noteCall(call);
				},
				after: { calls: this.#calls, typedCalls: this.#typedCalls, ...omitUndefined({ until }) },
				limits,
				signal: tools.budget.signal,
			});
			if (ended.kind !== "returned") tools.budget.halt({ kind: "stopped" });
			await tools.settle();
			const outcome = this.#over(ended, tools, until !== undefined);
			if (outcome !== undefined) return { outcome };
			this.#calls = Math.max(this.#calls, tools.calls.made);
			this.#typedCalls += typedCalls;
			this.#written += tools.writes.count;
			const facts = { calls: this.#calls, typedCalls: this.#typedCalls, wroteFiles: tools.writes.count > 0 };
			return { ...wordsOf(ended, tools, limits), printed: printed.join("\n"), facts };
		} finally {
			stop.removeEventListener("abort", onStop);
		}
	}

	/** The end of the turn, if the program's end causes it. `isAgain`: the program had ended before. */
	#over(ended: ProgramEnd, { budget }: ProgramTools, isAgain: boolean): ProviderOutcome | Parked | undefined {
		if (this.#turn.stop.aborted) return { kind: "cancelled", remote: false };
		if (ended.kind === "parked") return ended;
		if (ended.kind === "mismatch") return { kind: "failed", code: "RESUME_MISMATCH", message: ended.message };
		if (isAgain || budget.cause?.kind === "limit" || ended.kind !== "broken") return undefined;
		this.#deps.log.error({ err: ended.cause, runId: this.#turn.turn.runId }, "the sandbox failed");
		return { kind: "failed", code: "INTERNAL", message: "The sandbox failed; the bridge's log has the cause." };
	}
}

function wordsOf(ended: ProgramEnd, { budget, writes }: ProgramTools, limits: AssistantLimits["program"]) {
	if (budget.cause?.kind === "limit") return { text: limitMessage(budget.cause.limit, limits), isError: true };
	switch (ended.kind) {
		case "returned": {
			const refused = writes.failure;
			const text = ended.text === undefined ? "The program returned nothing." : `Returned:\n${ended.text}`;
			return refused === undefined ? { text, isError: false } : { text: `${refused}\n${text}`, isError: true };
		}
		case "threw":
		case "unreadable":
			return { text: `The program threw: ${positioned(ended.position, ended.message, AS_WRITTEN)}`, isError: true };
		case "limit":
			return { text: limitMessage(ended.limit, limits), isError: true };
		default:
			return { text: "The program was stopped.", isError: true };
	}
}

function over(message: string): ProgramResult {
	return { kind: "over", outcome: { kind: "failed", code: "INTERNAL", message } };
}
