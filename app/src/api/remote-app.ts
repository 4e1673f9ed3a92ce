import type { IncomingMessage } from "node:http";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { type HttpRequest, readText, sendRequest } from "@xworkmate/platform/http";
import { z } from "zod";
import { Failure, toFailure } from "../errors/failure.ts";
import { commandLine } from "../text/command-line.ts";
import type { AppApi } from "./app-api.ts";
import { appMethods, type PageFunctions, pageMethods } from "./methods.ts";
import { APP_ENDING, type ProcessFunctions, processMethods } from "./process-rows.ts";

/** The process that owned the home no longer answers. */
export const APP_GONE = "APP_GONE";

/** The user stopped the process that owned the home, so a command that was its client does not start another one. */
const APP_STOPPED = "APP_STOPPED";

/** A failed call to the app that owns the home: an error that the app returned, or no answer. */
export class RemoteAppError extends Error {
	override readonly name = "RemoteAppError";
	readonly code: string;
	readonly fix: string | undefined;
	/** True if the app certainly did not carry out the call: nothing listens at its address, or it was about to end. */
	readonly isUnsent: boolean;

	constructor({ code, message, fix }: Failure, cause?: unknown) {
		super(message, { cause });
		this.isUnsent = code === APP_ENDING || (code === APP_GONE && systemErrorCode(cause) === "ECONNREFUSED");
		this.code = code;
		this.fix = fix;
	}
}

/** The user stopped the app. */
export class AppStoppedError extends RemoteAppError {
	/** True if the app ended its bridge with it. */
	readonly endedBridge: boolean;

	constructor(endedBridge: boolean) {
		const fix = `Start it again with \`${commandLine("start")}\`, then run the command again.`;
		super({ code: APP_STOPPED, message: "XWorkmate was stopped.", fix });
		this.endedBridge = endedBridge;
	}
}

/** True if the app that was called has exited or is about to. */
export function isAway(error: unknown): error is RemoteAppError {
	return error instanceof RemoteAppError && (error.code === APP_GONE || error.code === APP_ENDING);
}

export type RemoteApp = AppApi & ProcessFunctions & PageFunctions;

/**
 * The app in another process: every method of the table, called over that app's server. Both ends are XWorkmate on the same machine, so
 * results are not checked against their types; errors are decoded. The other app may have been started by an earlier version.
 */
export function remoteApp(url: string, token: string): RemoteApp {
	const connection = new Connection(url, token);
	const functions = Object.entries({ ...appMethods, ...processMethods, ...pageMethods }).map(([name, row]) => {
		const { kind, params } = row;
		if (kind !== "stream") return [name, (given: object = {}) => connection.call(name, params, given)] as const;
		const path = row.path as (given: object) => string;
		return [name, (given: object = {}) => connection.follow(path(given))] as const;
	});
	return Object.fromEntries(functions) as RemoteApp;
}

class Connection {
	readonly #url: string;
	readonly #token: string;

	constructor(url: string, token: string) {
		this.#url = url;
		this.#token = token;
	}

	/** @throws RemoteAppError */
	async call(name: string, params: z.ZodType, given: object): Promise<unknown> {
		const written = z.safeEncode(params, given);
		if (!written.success) throw new RemoteAppError(toFailure(written.error), written.error);
		const headers = { "content-type": "application/json" };
		const response = await this.#send(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(written.data) });
		const { result } = (await json(response)) as { result: unknown };
		return result;
	}

	/**
	 * The last line of the stream is `ended`, unless the stream is endless.
	 * @throws RemoteAppError; with APP_GONE when the stream ends without that line
	 */
	async *follow(path: string): AsyncGenerator<{ readonly type: string }> {
		const response = await this.#send(path, {});
		for await (const text of lines(response)) {
			const line = JSON.parse(text) as { readonly type: string; readonly failure?: unknown };
			if (line.type === "alive") continue;
			if (line.type === "refused") throw new RemoteAppError(Failure.parse(line.failure));
			yield line;
			if (line.type === "ended") return;
		}
		throw gone();
	}

	async #send(path: string, { headers, ...given }: HttpRequest): Promise<IncomingMessage> {
		const request = { ...given, headers: { ...headers, authorization: `Bearer ${this.#token}` } };
		const response = await sendRequest(new URL(path, this.#url), request).catch((cause: unknown) => {
			throw gone(cause);
		});
		if (response.statusCode === 200) return response;
		const body = (await json(response)) as { error?: unknown };
		const failure = Failure.safeParse(body.error);
		throw new RemoteAppError(
			failure.success ? failure.data : { code: "INTERNAL", message: `The app answered with HTTP status ${response.statusCode}.` },
		);
	}
}

/** A body that is cut off means that the app has exited. */
async function json(response: IncomingMessage): Promise<unknown> {
	const text = await readText(response, Number.POSITIVE_INFINITY).catch((cause: unknown) => {
		throw gone(cause);
	});
	return JSON.parse(text);
}

/** Yields complete lines. A broken connection means that the app has exited. */
async function* lines(response: IncomingMessage): AsyncGenerator<string> {
	let rest = "";
	try {
		for await (const text of response.setEncoding("utf8")) {
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
		message: "XWorkmate stopped while this command was waiting for it. Active runs may have stopped too.",
		fix: `Start XWorkmate again with \`${commandLine("start")}\`, then check whether the command took effect before you run it again.`,
	};
	return new RemoteAppError(failure, cause);
}
