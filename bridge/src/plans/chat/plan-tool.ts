import { createHash } from "node:crypto";
import {
	ChannelId,
	ContractError,
	IntegrationId,
	type NewPlan,
	type Origin,
	omitUndefined,
	PLAN_TOOL,
	type Plan,
	RequestId,
} from "@xworkmate/contracts";
import type { z } from "zod";
import type { Examined, HostedOutcome, ToolCatalogue, ToolHosts, TypedTool } from "../../ports/tools/tool-hosts.ts";
import type { HostsOfTurn, TurnWords } from "../../ports/tools/turn-hosts.ts";
import type { DraftScene } from "../words/draft-plan.ts";
import { TaskForm } from "../words/plan-form.ts";
import { type ChatTerms, chatDraft } from "./chat-draft.ts";
import { planWords } from "./plan-words.ts";

/** A new version counts as another tool, so permissions for the earlier one do not cover it. */
const VERSION = "xworkmate.createPlan.1";
const NAME = "xworkmate.createPlan";
const GROUP = "\treadonly xworkmate: {\n";
const CLOCK = "{ hour: number; minute?: number }";
const DAY = `"today" | "tomorrow" | "day_after_tomorrow" | "sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday"`;
const WHEN = [
	`{ kind: "now" }`,
	`{ kind: "in"; amount: number; unit: "minutes" | "hours" | "days" | "weeks"; words: string[] }`,
	`{ kind: "at"; day?: ${DAY} | { year?: number; month: number; day: number }; clock?: ${CLOCK}; words: string[] }`,
	`{ kind: "every"; days: "day" | "weekday" | ("sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday")[] | { dayOfMonth: number }; clock?: ${CLOCK}; words: string[] }`,
	`{ kind: "pace"; amount: number; unit: "minutes" | "hours"; words: string[] }`,
	`{ kind: "other"; words: string[] }`,
].join(" | ");
const CHANNEL = [...ChannelId.options, "other", "none"].map((id) => JSON.stringify(id)).join(" | ");
const MESSAGE = `{ channel: ${CHANNEL}; channelWords?: string; recipient?: string; content?: string; subject?: string }`;
/** The declaration on one line, as the model sees a tool. */
const METHOD = `\t\tcreatePlan(input: { title: string; instructions?: string; work?: string[]; delivery?: ${MESSAGE}[]; when: ${WHEN} }): Promise<ToolResult<{ readonly planId: string; readonly title: string; readonly due: string; readonly nextDueAt?: string }>>;\n`;

export const planTool: TypedTool = {
	toolId: PLAN_TOOL,
	integration: IntegrationId.parse("xworkmate"),
	method: "createPlan",
	risk: "write",
	toolHash: createHash("sha256").update(VERSION).digest("hex"),
	isAccepted: true,
	isAlwaysAsked: true,
	// The call's key becomes the request id of the plan.
	isIdempotent: true,
	isKeyRead: true,
	mayWindow: false,
	timeoutMs: 60_000,
	secrets: [],
};

export interface PlanToolDeps {
	/** The channels and contacts that the bridge has now. */
	readonly scene: () => Promise<Pick<DraftScene, "channels" | "contacts">>;
	/** The time zone for times that are named in a turn of this origin. */
	readonly zoneOf: (origin: Origin | undefined) => SaidZone;
	/**
	 * Refuses a plan that could never be carried out.
	 * @throws ContractError
	 */
	readonly check: (terms: ChatTerms) => Promise<void>;
	/** The plan that was made with a request; undefined if there is none. */
	readonly made: (requestId: RequestId) => Promise<Plan | undefined>;
	/**
	 * Makes a plan. The same request gets the same plan.
	 * @throws ContractError
	 */
	readonly create: (plan: NewPlan) => Promise<Plan>;
}

/** The time zone for times that a user names. */
export interface SaidZone {
	/** The zone's IANA name. */
	readonly timezone: string;
	/** A note about the zone, shown with a plan that has a time. Absent if the zone is taken to be the user's own. */
	readonly note?: string;
}

interface ShownPlan {
	readonly terms: ChatTerms;
	readonly words: string;
}

/** The tools of a turn, along with `tools.xworkmate.createPlan`, which makes a plan from what the user said. */
export function hostsWithPlanTool(deps: PlanToolDeps): HostsOfTurn {
	return (hosts, turn) => new HostsWithPlanTool(hosts, turn, deps);
}

/**
 * The model only names the parts of a plan. The plan itself is derived from the user's words, their time and the bridge's contacts, once
 * for the question and again after the answer. If the two differ, no plan is made.
 */
class HostsWithPlanTool implements ToolHosts {
	readonly #hosts: ToolHosts;
	readonly #turn: TurnWords;
	readonly #deps: PlanToolDeps;

	constructor(hosts: ToolHosts, turn: TurnWords, deps: PlanToolDeps) {
		this.#hosts = hosts;
		this.#turn = turn;
		this.#deps = deps;
	}

	async catalogue(): Promise<ToolCatalogue> {
		const { registryHash, tools, declarations } = await this.#hosts.catalogue();
		const isThere = declarations.includes(GROUP);
		return {
			registryHash: createHash("sha256").update(`${registryHash}\n${VERSION}`).digest("hex"),
			tools: new Map([...tools, [NAME, planTool]]),
			declarations: isThere ? declarations.replace(GROUP, () => `${GROUP}${METHOD}`) : `${declarations}${GROUP}${METHOD}\t};\n`,
		};
	}

	isCurrent(tool: TypedTool): boolean {
		return isOwn(tool) ? tool.toolHash === planTool.toolHash : this.#hosts.isCurrent(tool);
	}

	async examine(tool: TypedTool, input: unknown): Promise<Examined> {
		if (!isOwn(tool)) return this.#hosts.examine(tool, input);
		const parsed = TaskForm.safeParse(input);
		if (!parsed.success) return { kind: "invalid", message: problemOf(parsed.error) };
		const shown = await this.#shown(parsed.data);
		return typeof shown === "string" ? { kind: "invalid", message: shown } : { kind: "valid", input: parsed.data, words: shown.words };
	}

	async call(tool: TypedTool, call: Parameters<ToolHosts["call"]>[1], signal: AbortSignal): Promise<HostedOutcome> {
		if (!isOwn(tool)) return this.#hosts.call(tool, call, signal);
		const requestId = requestOf(call.idempotencyKey);
		const earlier = call.attempt > 1 ? await this.#madeBefore(requestId) : undefined;
		if (earlier !== undefined) return earlier;
		const shown = await this.#shown(TaskForm.parse(call.input));
		if (typeof shown === "string") return failed(shown);
		if (!this.#turn.wasShown(call.toolCallId, shown.words))
			return failed("The plan would differ from what the user was shown, so it was not made. Call the tool again to ask the user again.");
		try {
			return made(await this.#deps.create({ ...shown.terms, requestId }));
		} catch (error) {
			if (!(error instanceof ContractError)) return unknown("an error occurred while the plan was being saved, so it may or may not exist");
			return error.code === "PLAN_CONFLICT" ? unknown(error.message) : failed(error.message);
		}
	}

	/**
	 * The plan, if an earlier attempt made it but the bridge ended before reporting it; undefined if no attempt did; an unknown outcome if
	 * that can't be checked. The current channels and contacts are not considered.
	 */
	async #madeBefore(requestId: RequestId): Promise<HostedOutcome | undefined> {
		try {
			const plan = await this.#deps.made(requestId);
			return plan && made(plan);
		} catch {
			return unknown("an earlier attempt may have made the plan, but the bridge can't check whether it did");
		}
	}

	close(): Promise<void> {
		return this.#hosts.close();
	}

	/** The plan as it is shown in the question and then made, or a text that says why there is none. */
	async #shown(task: TaskForm): Promise<ShownPlan | string> {
		const { prompt, earlier, saidAt: now, origin } = this.#turn;
		const { zoneOf, scene, check } = this.#deps;
		const { timezone, note } = zoneOf(origin);
		const there = await scene();
		const draft = chatDraft(task, { ...there, prompt, earlier, now, timezone });
		if (draft.kind === "refused") return draft.message;
		const words = planWords(draft, { ...there, now, ...omitUndefined({ zoneNote: note }) });
		if (words === undefined)
			return "The plan is too long to be shown in full in a question. Make it shorter, or tell the user to use the form.";
		try {
			await check(draft.terms);
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			return error.message;
		}
		return { terms: draft.terms, words };
	}
}

function made({ planId, title, scheduleWords: due, nextDueAt }: Plan): HostedOutcome {
	return { kind: "succeeded", output: { planId, title, due, ...(nextDueAt !== undefined && { nextDueAt }) } };
}

function failed(message: string): HostedOutcome {
	return { kind: "failed", code: "TOOL_FAILED", message };
}

function unknown(message: string): HostedOutcome {
	return { kind: "unknown", code: "OUTCOME_UNKNOWN", message };
}

function isOwn(tool: TypedTool): boolean {
	return tool.toolId === planTool.toolId;
}

/** The request id, the same for each attempt of a call. */
function requestOf(idempotencyKey: string): RequestId {
	return RequestId.parse(`chat-${idempotencyKey.slice(0, 40)}`);
}

function problemOf(error: z.ZodError): string {
	const [issue] = error.issues;
	return issue === undefined ? "the input is not valid" : `${issue.path.join(".")}: ${issue.message}`.slice(0, 500);
}
