import { randomBytes } from "node:crypto";
import type { AnswerSegments, GroundingProblem, GroundingProblemCode } from "@xworkmate/contracts";
import type { Parked, ProviderTurn } from "../../../ports/agents/provider.ts";
import type { ModelMessage, ModelPart, ModelReply } from "../../../ports/models/model-client.ts";
import type { ProgramLog } from "../../../ports/programs/program-log.ts";
import { answerMessageId } from "../../../ports/runs/result-message.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../../ports/runs/run-event.ts";
import type { RunStep } from "../../../ports/runs/run-step.ts";
import type { ToolCatalogue } from "../../../ports/tools/tool-hosts.ts";
import type { RunHistory } from "../../../programs/run-history.ts";
import { piecesOf } from "../../preview.ts";
import type { UpdateQueue } from "../../update-queue.ts";
import { refusalWords, replacementWords } from "../answer/answer-words.ts";
import { checkAnswer } from "../answer/check-answer.ts";
import { type AssistantLimits, reachedMessage } from "./assistant-limits.ts";
import { boundedText } from "./bounded-text.ts";
import { instructions, openingMessages } from "./instructions.ts";
import type { ModelAsker } from "./model-asker.ts";
import { type GivenSegments, modelTools, readCall } from "./model-tools.ts";
import type { ProgramRunner } from "./program-runner.ts";
import { type RecordedCall, type RecordedReply, recordedReplies, type Told } from "./recorded-turn.ts";
import { ToolIndex } from "./tool-index.ts";

const MAX_DELTA_UNITS = 8192;
const ALONE =
	"An answer counts only if it is the only call in a reply, after everything else has finished. Call `answer` again, on its own.";
const NOTHING = "You said nothing. Call the `answer` tool.";

export interface AssistantTurnDeps {
	readonly turn: ProviderTurn;
	readonly program: ProgramLog;
	readonly history: RunHistory | undefined;
	readonly asker: ModelAsker;
	readonly runner: ProgramRunner;
	readonly model: string;
	readonly catalogue: () => Promise<ToolCatalogue>;
	readonly updates: UpdateQueue;
	/** Shows an update, except for what an earlier bridge has already shown. */
	readonly show: (update: ProviderUpdate) => Promise<void>;
	readonly limits: AssistantLimits;
	readonly stop: AbortSignal;
	readonly now: () => number;
}

type End = ProviderOutcome | Parked;
type ModelCallPart = Extract<ModelPart, { kind: "call" }>;
/** The result of a call: words for the model, or the turn's end. */
type CallResult = { readonly told: Told } | { readonly end: End };

/** One turn of the assistant: asks the model, carries out its calls, and sends it their results, until it answers. */
export class AssistantTurn {
	readonly #deps: AssistantTurnDeps;
	readonly #messages: ModelMessage[];
	readonly #recorded: readonly RecordedReply[];
	readonly #used = { inputTokens: 0, outputTokens: 0 };
	#programs = 0;
	#refusals = 0;
	/** Why the answer before this one was refused. */
	#problems: readonly GroundingProblemCode[] = [];

	constructor(deps: AssistantTurnDeps) {
		this.#deps = deps;
		const { conversation = [], prompt, workspaceContext } = deps.turn;
		this.#messages = openingMessages(conversation, prompt, workspaceContext);
		this.#recorded = recordedReplies(deps.history?.steps ?? []);
	}

	/** @throws ResumeMismatch, and errors of the log */
	async run(): Promise<End> {
		const { limits } = this.#deps;
		for (let request = 0; request < limits.requests; request++) {
			const recorded = this.#recorded[request];
			const reply = recorded?.said.reply ?? (await this.#ask());
			if ("kind" in reply) return reply;
			this.#count(reply);
			if (reply.stop === "length") return failed("LIMIT_EXCEEDED", reachedMessage("outputTokens", limits));
			const end = await this.#carryOut(reply, recorded?.calls ?? []);
			if (end !== undefined) return end;
		}
		return failed("LIMIT_EXCEEDED", reachedMessage("requests", limits));
	}

	/** Asks the model. The reply is durable before it is acted on. */
	async #ask(): Promise<ModelReply | End> {
		const { asker, model, program, updates, stop, turn, catalogue, limits, now } = this.#deps;
		const signal = turn.suspend === undefined ? stop : AbortSignal.any([stop, turn.suspend]);
		const request = {
			model,
			instructions: instructions(new ToolIndex(await catalogue()).summary(), new Date(now())),
			messages: this.#messages,
			tools: modelTools,
			maxOutputTokens: limits.outputTokens,
		};
		try {
			const asked = await asker.ask(request, () => this.#thought(), signal);
			await updates.drained();
			if (stop.aborted) return { kind: "cancelled", remote: false };
			if (asked.kind === "failed") return asked;
			const { profileId, reply } = asked;
			program.write([{ kind: "said", profileId, model, reply }], []);
			this.#showUsage(reply);
			await updates.drained();
			program.mark();
			await program.durable();
			return reply;
		} catch (error) {
			if (stop.aborted) return { kind: "cancelled", remote: false };
			if (signal.aborted) return { kind: "parked", waiting: 0 };
			throw error;
		}
	}

	/** Shows what the model says while it replies. Each attempt is a separate thought, because an incomplete reply is discarded. */
	#thought(): (text: string) => void {
		const messageId = `${this.#deps.turn.runId}-thought-${randomBytes(6).toString("hex")}`;
		return (text) => {
			for (const piece of piecesOf(text, MAX_DELTA_UNITS)) this.#deps.updates.push({ kind: "thought_delta", messageId, text: piece });
		};
	}

	#count({ usage }: ModelReply): void {
		this.#used.inputTokens += tokens(usage.inputTokens);
		this.#used.outputTokens += tokens(usage.outputTokens);
	}

	/** Shows how many tokens the turn has used so far, if the server reported any for this reply. */
	#showUsage({ usage }: ModelReply): void {
		if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
		const inputTokens = this.#used.inputTokens + tokens(usage.inputTokens);
		const outputTokens = this.#used.outputTokens + tokens(usage.outputTokens);
		this.#deps.updates.push({ kind: "usage", inputTokens, outputTokens });
	}

	/** Carries out the calls in a reply that have not been carried out yet. A reply without calls is taken as an answer. */
	async #carryOut({ parts }: ModelReply, recorded: readonly RecordedCall[]): Promise<End | undefined> {
		const calls = parts.filter((part) => part.kind === "call");
		if (parts.length > 0) this.#messages.push({ role: "assistant", parts });
		if (calls.length === 0) {
			const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
			const given: GivenSegments = text.trim() === "" ? [] : [{ text }];
			const result = recorded[0]?.told === undefined ? await this.#answer(given) : this.#refusedBefore(recorded[0].told);
			if ("end" in result) return result.end;
			this.#messages.push({ role: "user", text: given.length === 0 ? `${NOTHING}\n${result.told.text}` : result.told.text });
			return undefined;
		}
		const results: { callId: string; text: string; isError: boolean }[] = [];
		for (const [index, part] of calls.entries()) {
			const before = recorded[index];
			const result =
				before?.told === undefined ? await this.#call(part, calls.length === 1, before) : await this.#toldBefore(before, before.told);
			if ("end" in result) return result.end;
			const { text, isError } = result.told;
			results.push({ callId: part.callId, text, isError });
		}
		this.#messages.push({ role: "tools", results });
		return undefined;
	}

	async #call(part: ModelCallPart, isAlone: boolean, before: RecordedCall | undefined): Promise<CallResult> {
		const call = readCall(part);
		if (typeof call === "string") return this.#tell(call, true);
		switch (call.tool) {
			case "answer":
				return isAlone ? this.#answer(call.input.segments) : this.#tell(ALONE, true);
			case "find_tools":
				return this.#tell((await this.#index()).find(call.input.query), false);
			case "describe_tools":
				return this.#tell((await this.#index()).describe(call.input.toolIds), false);
			case "execute":
				return this.#execute(call.input.program, before);
		}
	}

	async #execute(source: string, before: RecordedCall | undefined): Promise<CallResult> {
		const { runner, limits } = this.#deps;
		this.#programs += 1;
		if (this.#programs > limits.programs) return { end: failed("LIMIT_EXCEEDED", reachedMessage("programs", limits)) };
		const result = await runner.execute(source, before);
		if (result.kind === "over") return { end: result.outcome };
		return this.#tell(result.text, result.isError, result.program && { program: result.program });
	}

	/** Handles a call whose result the model already has: only its files are made again. */
	async #toldBefore(call: RecordedCall, told: Told): Promise<CallResult> {
		if (told.refused) return this.#refusedBefore(told);
		if (told.program === undefined) return { told };
		this.#programs += 1;
		const end = await this.#deps.runner.again(call);
		return end === undefined ? { told } : { end };
	}

	#refusedBefore(told: Told): CallResult {
		this.#refusals += 1;
		this.#problems = told.problems ?? [];
		return { told };
	}

	#tell(
		text: string,
		isError: boolean,
		more: Pick<Extract<RunStep, { kind: "told" }>, "program" | "refused" | "problems"> = {},
	): CallResult {
		const told = { kind: "told", text: boundedText(text, this.#deps.limits.resultBytes), isError, ...more } as const;
		this.#deps.program.write([told], []);
		return { told };
	}

	async #index(): Promise<ToolIndex> {
		return new ToolIndex(await this.#deps.catalogue());
	}

	/** Checks an answer against the receipts. It is shown, refused once, or replaced by the bridge's own words. */
	async #answer(given: GivenSegments): Promise<CallResult> {
		const { program, runner } = this.#deps;
		const { activity } = program;
		const check = checkAnswer(given, activity, runner.written);
		const { segments, problems, state, references, text } = check;
		if (problems.length === 0) return { end: await this.#show(segments, { state, problems: [] }, references) };
		this.#refusals += 1;
		const codes = problems.slice(0, 100).map(({ code }) => code);
		const isEmpty = codes.every((code) => code === "NO_ANSWER");
		// The refused answer stays readable, as a thought. After an earlier refused answer, an empty one is not shown.
		if (!isEmpty || this.#problems.length === 0) {
			await this.#deps.show({
				kind: "thought_delta",
				messageId: `${this.#deps.turn.runId}-refused-${this.#refusals}`,
				text: shownThought(text),
			});
		}
		if (this.#refusals === 1) {
			this.#problems = codes;
			return this.#tell(refusalWords(check, activity), true, { refused: true, problems: codes });
		}
		// If an empty answer follows a refused one, the problems of the refused answer are reported.
		const whole = isEmpty && this.#problems.length > 0 ? this.#problems : codes;
		const named = whole.map((code): GroundingProblem => ({ code, start: 0, end: 0 }));
		const ours = [{ text: replacementWords(named, activity) }];
		return { end: await this.#show(ours, { state: "replaced", problems: named }, 0) };
	}

	/** Records the answer, how well receipts support it, and the answer's own receipt, in one commit and only once. */
	async #show(segments: AnswerSegments, grounding: Parameters<ProgramLog["answer"]>[0]["grounding"], references: number): Promise<End> {
		const { turn, program, history, updates, show } = this.#deps;
		const messageId = answerMessageId(turn.runId);
		const text = segments.map((segment) => ("text" in segment ? segment.text : segment.words)).join("");
		for (const piece of piecesOf(text, MAX_DELTA_UNITS)) await show({ kind: "message_delta", messageId, text: piece });
		await updates.drained();
		if (history?.isAnswered !== true) {
			program.answer({ segments, grounding });
			const codes = [...new Set(grounding.problems.map(({ code }) => code))].join(" ");
			const detail = { state: grounding.state, references, ...(codes === "" ? {} : { problems: codes }) };
			program.write([], [{ type: "answer.checked", origin: "executed", detail }]);
		}
		return { kind: "ended" };
	}
}

/** A token count from a server; any other value counts as 0. */
function tokens(count: number | undefined): number {
	return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

function shownThought(text: string): string {
	return text.trim() === "" ? "(no answer)" : text.slice(0, MAX_DELTA_UNITS).toWellFormed();
}

function failed(code: "LIMIT_EXCEEDED", message: string): End {
	return { kind: "failed", code, message };
}
