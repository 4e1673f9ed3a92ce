import type { AppApi } from "../../api/app-api.ts";
import type { Method } from "../../api/method.ts";
import { appMethods } from "../../api/methods.ts";
import { APP_GONE, isAway, RemoteAppError } from "../../api/remote-app.ts";
import { AppError } from "../../errors/app-error.ts";
import type { RunningApp } from "../app/running-app.ts";
import type { HomeOwner } from "./home-owner.ts";

/** How many apps in a row may be gone before a call gives up. */
const LOSSES = 10;

type Owner = Pick<HomeOwner, "get" | "lost">;
type Call = (params: object) => Promise<unknown>;
type Follow = (params: object) => AsyncIterable<object>;

/**
 * The app that currently serves a home, for a command. If its process ends, the next owner of the home is asked: a call is repeated if
 * that does no harm, and a stream continues where it left off if its lines are numbered or none was read.
 */
export function steadyApp(owner: Owner): AppApi {
	const functions = Object.entries(appMethods).map(([name, row]) => {
		if (row.kind === "stream") return [name, (params: object = {}) => followed(owner, name, params)] as const;
		return [name, (params: object = {}) => called(owner, name, row, params)] as const;
	});
	return Object.fromEntries(functions) as AppApi;
}

/** @throws RemoteAppError; AppError OUTCOME_UNKNOWN */
async function called(owner: Owner, name: string, row: unknown, params: object): Promise<unknown> {
	const isRepeatable = (row as Pick<Method<never, unknown>, "isRepeatable">).isRepeatable as (given: object) => boolean;
	return await onWhicheverOwner(owner, async (app) => {
		try {
			return await (functionOf(app, name) as Call)(params);
		} catch (error) {
			if (isAway(error) && !error.isUnsent && !isRepeatable(params)) throw outcomeUnknown(error);
			throw error;
		}
	});
}

/** @throws RemoteAppError; with APP_GONE if a stream that can't continue was cut */
async function* followed(owner: Owner, name: string, params: object): AsyncGenerator<object> {
	const place = new StreamPlace(name, params);
	for (let losses = 0; ; ) {
		const app = await owner.get();
		try {
			for await (const line of (functionOf(app, name) as Follow)(place.params)) {
				losses = 0;
				place.passed(line);
				yield line;
			}
			return;
		} catch (error) {
			if (!isAway(error) || ++losses > LOSSES) throw error;
			if (!place.canContinue) throw cutOff(error);
			owner.lost(app);
		}
	}
}

async function onWhicheverOwner<T>(owner: Owner, use: (app: RunningApp) => Promise<T>): Promise<T> {
	for (let losses = 0; ; ) {
		const app = await owner.get();
		try {
			return await use(app);
		} catch (error) {
			if (!isAway(error) || ++losses > LOSSES) throw error;
			owner.lost(app);
		}
	}
}

/** How much of a stream has been read. */
class StreamPlace {
	readonly #isNumbered: boolean;
	#params: object;
	#hasBegun = false;

	constructor(name: string, params: object) {
		this.#isNumbered = name === "watch" || name === "watchPlan";
		this.#params = params;
	}

	get params(): object {
		return this.#params;
	}

	/**
	 * False once lines without numbers have been passed on: a repeated call would send them again, and the reader couldn't recognize them as
	 * repeats.
	 */
	get canContinue(): boolean {
		return this.#isNumbered || !this.#hasBegun;
	}

	passed(line: object): void {
		this.#hasBegun = true;
		if (!this.#isNumbered || !("update" in line)) return;
		const { seq } = line.update as { readonly seq: number };
		this.#params = { ...this.#params, afterSeq: seq };
	}
}

function functionOf({ api }: RunningApp, name: string): Call | Follow {
	const functions: Readonly<Record<string, unknown>> = { ...api };
	return functions[name] as Call | Follow;
}

function cutOff(cause: RemoteAppError): RemoteAppError {
	const failure = {
		code: APP_GONE,
		message: "XWorkmate stopped before this command's output was complete.",
		fix: "Run the command again.",
	};
	return new RemoteAppError(failure, cause);
}

function outcomeUnknown(cause: RemoteAppError): AppError {
	return new AppError(
		"OUTCOME_UNKNOWN",
		"XWorkmate stopped during this command, so the command's outcome is unknown.",
		"Check whether the command took effect before you run it again.",
		cause,
	);
}
