import { createHash } from "node:crypto";
import {
	isPermission,
	type OpenClawApproval,
	type OpenClawApprovalOutcome,
	type OpenClawRunRef,
	omitUndefined,
	openClawEvents,
	type Sha256,
	type ToolKind,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { OutsideAnswer, PermissionAnswer, PermissionRequest } from "../../../ports/agents/provider.ts";
import { boundedTitle, previewOf } from "../../preview.ts";
import { toolCallIdOf } from "../../tool-call-id.ts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import { GatewayRefusal } from "../gateway/gateway-error.ts";

/** Maximum number of questions of one run; further ones are denied without asking. */
const MAX_QUESTIONS = 500;
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** A question from the gateway itself (OpenClaw gateway protocol 4, exec and plugin approvals). */
const GatewayApproval = z.object({
	id: z.string().min(1).max(200),
	request: z.object({
		runId: lenient(z.string()),
		sessionKey: lenient(z.string()),
		toolCallId: lenient(z.string().min(1)),
		command: lenient(z.string()),
		title: lenient(z.string()),
		description: lenient(z.string()),
	}),
});

const GatewayAnswer = z.object({ id: z.string(), decision: z.string() });

const outsideAnswers: Readonly<Record<OpenClawApprovalOutcome, OutsideAnswer>> = {
	allowed: "allow_once",
	denied: "deny",
	withdrawn: "withdrawn",
};

/** A request for approval by this run, answered or not. */
interface Asked {
	readonly onOutside: (answer: OutsideAnswer) => void;
	/** Set if the plugin holds the call back until the answer. */
	readonly heldId?: string;
	isOver: boolean;
}

/** Delivers an answer. Resolves to the answer that counts instead, if there is one. */
type GiveAnswer = (allow: boolean, reason?: string) => Promise<OutsideAnswer | undefined>;

export type GatewayApprovalKind = "exec" | "plugin";

export interface AskedAnswer {
	/** `unrecorded`: the question could not be recorded, so the user was not asked, and nothing is allowed. */
	readonly decision: PermissionAnswer["decision"] | "unrecorded";
}

export interface GatewayApprovalsParts {
	readonly api: GatewayApi;
	readonly ref: OpenClawRunRef;
	/** Records the question in the run's log and waits for its answer. Never rejects. */
	readonly ask: (request: PermissionRequest) => Promise<AskedAnswer>;
	readonly onDenied: (request: PermissionRequest) => void;
	/** Called when an answer could not be delivered: the call stays held until the time limit of the plugin, or of the gateway. */
	readonly onError: (error: unknown) => void;
}

/** Tool calls of one run that are waiting for the user, held by the plugin or by the gateway's own policy. */
export class GatewayApprovals {
	readonly #deps: GatewayApprovalsParts;
	readonly #asked = new Map<string, Asked>();
	/** Commands that the user allowed, by tool call. The gateway's own request for the same call gets the same answer. */
	readonly #allowed = new Map<string, string>();

	constructor(deps: GatewayApprovalsParts) {
		this.#deps = deps;
	}

	/** The payload of the plugin's approval event. */
	onPluginEvent(payload: unknown): void {
		const parsed = openClawEvents.approval.safeParse(payload);
		if (!parsed.success) return;
		const { approval, state } = parsed.data;
		if (state === "pending") this.#onHeld(approval);
		else this.#asked.get(`held:${approval.id}`)?.onOutside(outsideAnswers[state]);
	}

	/** The payload of `exec.approval.resolved` or `plugin.approval.resolved`. */
	onGatewayAnswer(kind: GatewayApprovalKind, payload: unknown): void {
		const parsed = GatewayAnswer.safeParse(payload);
		if (parsed.success) this.#asked.get(`${kind}:${parsed.data.id}`)?.onOutside(parsed.data.decision === "deny" ? "deny" : "allow_once");
	}

	/** The payload of `exec.approval.requested` or `plugin.approval.requested`. */
	onGatewayEvent(kind: GatewayApprovalKind, payload: unknown): void {
		const parsed = GatewayApproval.safeParse(payload);
		if (!parsed.success) return;
		const { id, request } = parsed.data;
		if (request.runId !== this.#deps.ref.runId || request.sessionKey !== this.#deps.ref.sessionKey) return;
		const { toolCallId, command } = request;
		const answer = async (allow: boolean) => void (await this.#deps.api.resolveApproval(kind, id, allow));
		if (toolCallId !== undefined && command !== undefined && this.#allowed.get(toolCallId) === command) void this.#bring(answer(true));
		else void this.#ask(`${kind}:${id}`, gatewayQuestion(request), answer);
	}

	/** Lists the open requests, including those made while this bridge had no connection. Ends those that were answered in the meantime. */
	async relist(): Promise<void> {
		const { api, ref } = this.#deps;
		const { items } = await api.plugin("xworkmate.approvals.list", { sessionKey: ref.sessionKey });
		for (const item of items) this.#onHeld(item);
		const held = new Set(items.map(({ id }) => id));
		for (const { heldId, isOver, onOutside } of [...this.#asked.values()]) {
			if (heldId === undefined || isOver || held.has(heldId)) continue;
			// The request was answered while there was no connection. Sending a denial now changes nothing, and the reply
			// contains the recorded outcome.
			onOutside((await this.#bring(this.#answer(heldId, false, reasons.expired))) ?? "deny");
		}
		for (const kind of ["exec", "plugin"] as const) {
			const open = z.array(z.unknown()).safeParse(await api.openApprovals(kind).catch(refusedList));
			for (const item of open.data ?? []) this.onGatewayEvent(kind, item);
		}
	}

	#onHeld(approval: OpenClawApproval): void {
		const { runId, sessionKey } = this.#deps.ref;
		if (approval.runId !== runId || approval.sessionKey !== sessionKey) return;
		const { id, toolCallId, title, toolKind, input, inputHash, command } = approval;
		const request: PermissionRequest = {
			...(toolCallId === undefined ? {} : { toolCallId: toolCallIdOf(toolCallId) }),
			title: boundedTitle(title),
			toolKind,
			...(input === undefined ? {} : { input: previewOf(input.text) }),
			inputHash,
			options: saysAll(toolKind, input?.text) ? ["allow_once", "allow_window", "deny"] : ["allow_once", "deny"],
			...omitUndefined({ command }),
		};
		void this.#ask(
			`held:${id}`,
			request,
			async (allow, reason) => {
				if (allow && toolCallId !== undefined && command !== undefined) this.#allowed.set(toolCallId, command);
				return this.#answer(id, allow, reason);
			},
			id,
		);
	}

	async #answer(id: string, allow: boolean, reason: string | undefined): Promise<OutsideAnswer | undefined> {
		const given = await this.#deps.api.plugin("xworkmate.approvals.answer", { id, allow, ...omitUndefined({ reason }) });
		return given.applied ? undefined : outsideAnswers[given.outcome ?? "withdrawn"];
	}

	async #ask(key: string, request: PermissionRequest, answer: GiveAnswer, heldId?: string): Promise<void> {
		if (this.#asked.has(key)) return;
		const { promise, resolve } = Promise.withResolvers<OutsideAnswer>();
		const question: Asked = { onOutside: resolve, isOver: false, ...omitUndefined({ heldId }) };
		this.#asked.set(key, question);
		void promise.then(() => {
			question.isOver = true;
		});
		let brought: Promise<OutsideAnswer | undefined> | undefined;
		const bring = (given: keyof typeof reasons) => {
			brought ??= this.#bring(answer(given === "allow", reasons[given]));
			return brought;
		};
		const asked: PermissionRequest = { ...request, outside: { given: promise, bring } };
		const { decision } = this.#asked.size > MAX_QUESTIONS ? ({ decision: "tooMany" } as const) : await this.#deps.ask(asked);
		// Either the run is being stopped, which denies held calls, or it is left to the next bridge, which asks again.
		if (decision === "withdrawn") return;
		const given = isPermission(decision) ? "allow" : decision;
		if (given !== "allow") this.#deps.onDenied(request);
		// If the user was not asked (too many questions, or this one could not be recorded), the denial is delivered here.
		if (brought === undefined && !question.isOver) await bring(given);
		question.isOver = true;
	}

	/**
	 * Resolves to the answer that counts instead. A request that has ended or is unknown counts as withdrawn: the run continued or has ended.
	 */
	async #bring(answering: Promise<OutsideAnswer | undefined>): Promise<OutsideAnswer | undefined> {
		try {
			return await answering;
		} catch (error) {
			if (error instanceof GatewayRefusal) return "withdrawn";
			this.#deps.onError(error);
			return undefined;
		}
	}
}

/** Params that a grant for the command can ignore, because they do not change what the command does. */
const plainParams: ReadonlySet<string> = new Set(["command", "description", "timeout", "timeoutMs", "yieldMs", "background", "pty"]);
const Params = z.record(z.string(), z.unknown());

/** False if other params (a host, rights, an environment) turn the command into a different one, which no grant covers. */
function saysAll(toolKind: ToolKind, input: string | undefined): boolean {
	if (toolKind !== "execute" || input === undefined) return true;
	try {
		const params = Params.safeParse(JSON.parse(input));
		return params.success && Object.keys(params.data).every((key) => plainParams.has(key));
	} catch {
		// The input is truncated or not JSON, so its content is unknown.
		return false;
	}
}

const reasons = {
	allow: undefined,
	deny: "The user denied this call.",
	expired: "No one answered in time, so this call was denied.",
	tooMany: `This call was denied without asking the user, because this run has made more than ${MAX_QUESTIONS} requests.`,
	unrecorded: "This call was denied without asking the user, because the request could not be recorded.",
} as const;

/** Replaces a refused list: a connection without access to the gateway's own questions gets an empty one. */
function refusedList(error: unknown): unknown {
	if (error instanceof GatewayRefusal) return [];
	throw error;
}

function gatewayQuestion({ toolCallId, command, title, description }: z.infer<typeof GatewayApproval>["request"]): PermissionRequest {
	const text = command ?? description;
	return {
		...(toolCallId === undefined ? {} : { toolCallId: toolCallIdOf(toolCallId) }),
		title: boundedTitle(title ?? command ?? "OpenClaw asks for permission"),
		toolKind: command === undefined ? "other" : "execute",
		...(text === undefined ? {} : { input: previewOf(text) }),
		inputHash: sha256(JSON.stringify([title, command, description, command === undefined ? toolCallId : ""])),
		options: ["allow_once", "deny"],
		...omitUndefined({ command }),
	};
}

function sha256(text: string): Sha256 {
	return createHash("sha256").update(text).digest("hex");
}
