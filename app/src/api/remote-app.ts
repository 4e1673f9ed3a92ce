import type { ApprovalDecision, ApprovalId, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { differentSettings, type SettingDigests, settingDigests } from "../config/setting-digests.ts";
import { Failure } from "../errors/failure.ts";
import { commandLine } from "../text/command-line.ts";
import type { AppApi, SendRequest, TurnEvent } from "./app-api.ts";

/** The process that owned the home does not answer any more. */
export const APP_GONE = "APP_GONE";

/** A refusal of the app that owns the home. */
export class RemoteAppError extends Error {
	override readonly name = "RemoteAppError";
	readonly code: string;
	readonly fix: string | undefined;

	constructor({ code, message, fix }: Failure, cause?: unknown) {
		super(message, { cause });
		this.code = code;
		this.fix = fix;
	}
}

/**
 * The app in another process. Both ends are the same code at the same version, on one machine, so
 * results are taken as the other end typed them; refusals are decoded.
 */
export class RemoteApp implements AppApi {
	readonly #url: string;
	readonly #token: string;

	constructor(url: string, token: string) {
		this.#url = url;
		this.#token = token;
	}

	send({ attachments, ...rest }: SendRequest): ReturnType<AppApi["send"]> {
		const files = attachments?.map(({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString("base64") }));
		return this.#call("send", { ...rest, ...(files === undefined ? {} : { attachments: files }) });
	}

	async *watch(threadId: ThreadId, turnId: TurnId, afterSeq = 0): AsyncGenerator<TurnEvent> {
		const path = `/api/events/${encodeURIComponent(threadId)}/${encodeURIComponent(turnId)}?afterSeq=${afterSeq}`;
		const response = await this.#fetch(path, { method: "GET" });
		if (response.body === null) throw new RemoteAppError({ code: "INTERNAL", message: "The app sent no events." });
		for await (const line of lines(response.body)) {
			const event = JSON.parse(line) as TurnEvent | { readonly type: "refused"; readonly failure: unknown } | { readonly type: "alive" };
			if (event.type === "alive") continue;
			if (event.type === "refused") throw new RemoteAppError(Failure.parse(event.failure));
			yield event;
			if (event.type === "ended") return;
		}
		throw gone();
	}

	cancel(runId: RunId): ReturnType<AppApi["cancel"]> {
		return this.#call("cancel", { runId });
	}

	cancelTurn(threadId: ThreadId, turnId: TurnId): ReturnType<AppApi["cancelTurn"]> {
		return this.#call("cancelTurn", { threadId, turnId });
	}

	listThreads(options: { readonly archived: boolean }): ReturnType<AppApi["listThreads"]> {
		return this.#call("listThreads", options);
	}

	showThread(threadId: ThreadId): ReturnType<AppApi["showThread"]> {
		return this.#call("showThread", { threadId });
	}

	gatewayQueue(): ReturnType<AppApi["gatewayQueue"]> {
		return this.#call("gatewayQueue", {});
	}

	archiveThread(threadId: ThreadId): ReturnType<AppApi["archiveThread"]> {
		return this.#call("archiveThread", { threadId });
	}

	restoreThread(threadId: ThreadId): ReturnType<AppApi["restoreThread"]> {
		return this.#call("restoreThread", { threadId });
	}

	deleteThread(threadId: ThreadId): ReturnType<AppApi["deleteThread"]> {
		return this.#call("deleteThread", { threadId });
	}

	tasks(query: Parameters<AppApi["tasks"]>[0]): ReturnType<AppApi["tasks"]> {
		return this.#call("tasks", query);
	}

	listApprovals(query: Parameters<AppApi["listApprovals"]>[0]): ReturnType<AppApi["listApprovals"]> {
		return this.#call("listApprovals", query);
	}

	listGrants(): ReturnType<AppApi["listGrants"]> {
		return this.#call("listGrants", {});
	}

	revokeGrant(approvalId: ApprovalId): ReturnType<AppApi["revokeGrant"]> {
		return this.#call("revokeGrant", { approvalId });
	}

	decideApproval(approvalId: ApprovalId, decision: ApprovalDecision): ReturnType<AppApi["decideApproval"]> {
		return this.#call("decideApproval", { approvalId, decision });
	}

	sync(threadId: ThreadId): ReturnType<AppApi["sync"]> {
		return this.#call("sync", { threadId });
	}

	capabilities(): ReturnType<AppApi["capabilities"]> {
		return this.#call("capabilities", {});
	}

	/** Who answers there. */
	ping(): Promise<{ readonly pid: number }> {
		return this.#call("ping", {});
	}

	/** The path of a new one-time link; undefined when that app serves no page. */
	async openKey(): Promise<string | undefined> {
		return (await this.#callOfPage<{ readonly path: string }>("openKey"))?.path;
	}

	/** The names of the settings that it was started with another value of than `env` has. */
	async differentSettings(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
		const running = await this.#callOfPage<SettingDigests>("startedWith");
		return running === undefined ? [] : differentSettings(running, settingDigests(env, this.#token));
	}

	/** Undefined when that app serves no page. */
	async #callOfPage<T>(method: string): Promise<T | undefined> {
		try {
			return await this.#call<T>(method, {});
		} catch (error) {
			if (error instanceof RemoteAppError && error.code === "NOT_FOUND") return undefined;
			throw error;
		}
	}

	async #call<T>(method: string, params: object): Promise<T> {
		const headers = { "content-type": "application/json" };
		const response = await this.#fetch(`/api/${method}`, { method: "POST", headers, body: JSON.stringify(params) });
		const { result } = (await response.json()) as { result: T };
		return result;
	}

	async #reach(path: string, init: RequestInit): Promise<Response> {
		try {
			return await fetch(this.#url + path, init);
		} catch (cause) {
			throw gone(cause);
		}
	}

	async #fetch(path: string, init: RequestInit): Promise<Response> {
		const headers = { ...init.headers, authorization: `Bearer ${this.#token}` };
		const response = await this.#reach(path, { ...init, headers });
		if (response.ok) return response;
		const body = (await response.json()) as { error?: unknown };
		const failure = Failure.safeParse(body.error);
		throw new RemoteAppError(
			failure.success ? failure.data : { code: "INTERNAL", message: `The app answered with HTTP status ${response.status}.` },
		);
	}
}

/** Whole lines; a connection that breaks means that the app is gone. */
async function* lines(body: NonNullable<Response["body"]>): AsyncGenerator<string> {
	let rest = "";
	try {
		for await (const text of body.pipeThrough(new TextDecoderStream())) {
			const parts = (rest + text).split("\n");
			rest = parts.pop() ?? "";
			yield* parts;
		}
	} catch (cause) {
		throw gone(cause);
	}
}

function gone(cause?: unknown): RemoteAppError {
	const failure = {
		code: APP_GONE,
		message: "XWorkmate stopped while this command was waiting for it. The run may have stopped too.",
		fix: `Start it again with \`${commandLine("start")}\` and look at the thread. It says how the run ended.`,
	};
	return new RemoteAppError(failure, cause);
}
