import {
	type OpenClawMethodName,
	type OpenClawParams,
	type OpenClawResult,
	type OpenClawRunRef,
	type OpenClawTask,
	openClawMethods,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { GatewayConnection } from "./gateway-connection.ts";
import { GatewayProtocolError, GatewayRefusal, isPluginAway, PluginAway } from "./gateway-error.ts";
import type { GatewayLink } from "./gateway-link.ts";

const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const SendAnswer = z.object({ runId: z.string(), status: z.string() });
const WaitAnswer = z.object({
	status: z.enum(["ok", "error", "timeout", "pending"]),
	endedAt: lenient(z.number()),
	error: lenient(z.string()),
	terminalReply: lenient(z.object({ text: lenient(z.string()) })),
});

/** The answer of `agent.wait` about a run. If the run has ended, the answer has an `endedAt`. */
export type GatewayWitness = z.infer<typeof WaitAnswer>;

export interface ChatMessage {
	readonly message: string;
	readonly attachments: readonly ChatAttachment[];
}

/** An attachment in the form that `chat.send` takes; `content` is base64. */
export interface ChatAttachment {
	readonly type: "image" | "file";
	readonly mimeType: string;
	readonly fileName: string;
	readonly content: string;
}

/** The gateway and plugin methods that a run needs. All are idempotent, and most are repeated until the gateway answers. */
export class GatewayApi {
	readonly #connection: GatewayConnection;

	constructor(connection: GatewayConnection) {
		this.#connection = connection;
	}

	/**
	 * Calls one of the plugin's methods.
	 * @throws GatewayRefusal with the plugin's code; GatewayLost; GatewayProtocolError; the reason of `stop`
	 */
	plugin<M extends OpenClawMethodName>(method: M, params: OpenClawParams<M>, options: CallOptions = {}): Promise<OpenClawResult<M>> {
		return this.#connection.persist((link) => callPlugin(link, method, params, options.ms), options.stop);
	}

	task(ref: OpenClawRunRef): Promise<OpenClawTask> {
		return this.plugin("xworkmate.tasks.get", ref);
	}

	/** Sends the turn; the gateway accepts a runId only once. */
	async send(link: GatewayLink, ref: OpenClawRunRef, { message, attachments }: ChatMessage): Promise<void> {
		const files = attachments.length === 0 ? {} : { attachments };
		const params = { sessionKey: ref.sessionKey, idempotencyKey: ref.runId, message, ...files };
		const answer = SendAnswer.safeParse(await link.call("chat.send", params));
		if (!answer.success || answer.data.runId !== ref.runId)
			throw new GatewayProtocolError("the gateway's response to chat.send does not name this run");
	}

	/** Stops the run's work; does not report how the run ended. */
	async abort({ runId, sessionKey }: OpenClawRunRef): Promise<void> {
		await this.#connection.persist((link) => link.call("chat.abort", { sessionKey, runId }));
	}

	/**
	 * Asks the gateway for a run's state, waiting up to `ms` milliseconds for it to end. Undefined without a connection, or if the answer
	 * can't be read.
	 */
	async witness({ runId }: OpenClawRunRef, ms: number): Promise<GatewayWitness | undefined> {
		const { link } = this.#connection;
		if (link === undefined) return undefined;
		const answer = WaitAnswer.safeParse(await link.call("agent.wait", { runId, timeoutMs: ms }, ms * 2));
		return answer.data;
	}

	/** Sets the model for all further turns of the conversation. */
	async chooseModel({ sessionKey }: OpenClawRunRef, model: string | null): Promise<void> {
		await this.#connection.persist((link) => link.call("sessions.patch", { key: sessionKey, model }));
	}

	/** Answers a question from the gateway itself. */
	async resolveApproval(kind: "exec" | "plugin", id: string, allow: boolean): Promise<void> {
		const decision = allow ? "allow-once" : "deny";
		await this.#connection.persist((link) => link.call(`${kind}.approval.resolve`, { id, decision }));
	}

	/** The gateway's own open requests, undecoded; undefined without a connection. Rejects if this connection may not see them. */
	async openApprovals(kind: "exec" | "plugin"): Promise<unknown> {
		return this.#connection.link?.call(`${kind}.approval.list`, {});
	}
}

interface CallOptions {
	readonly ms?: number;
	readonly stop?: AbortSignal;
}

/** @throws GatewayRefusal, GatewayDisconnected (PluginAway), GatewayProtocolError for an answer that violates the contract */
export async function callPlugin<M extends OpenClawMethodName>(
	link: GatewayLink,
	method: M,
	params: OpenClawParams<M>,
	ms?: number,
): Promise<OpenClawResult<M>> {
	const answer = await link.call(method, params, ms).catch((error: unknown) => {
		throw error instanceof GatewayRefusal && isPluginAway(error) ? new PluginAway(error) : error;
	});
	const parsed = openClawMethods[method].result.safeParse(answer);
	// zod infers the union of all results for an indexed schema; the method's own schema was used to parse.
	if (parsed.success) return parsed.data as OpenClawResult<M>;
	const [issue] = parsed.error.issues;
	throw new GatewayProtocolError(
		`the plugin's answer to ${method} does not follow its contract: ${[issue?.path.join("."), issue?.message].filter(Boolean).join(": ")}`,
	);
}
